/** With fewer clients a share would say more of single persons than of the trade. */
const LEAST_CLIENTS = 20;

/** The per cent, rounded, of live accounts that have lost money; null where too few clients have traded. */
export const losingShare = ({ clients, accounts, losing }: { clients: number; accounts: number; losing: number }): number | null =>
  clients < LEAST_CLIENTS ? null : Math.round((losing * 100) / accounts);
