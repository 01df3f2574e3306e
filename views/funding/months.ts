/** Calendar months in UTC, written "2026-11". */

const NAMES = "January February March April May June July August September October November December".split(" ");

const shifted = (month: string, by: number): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + by, 1)));
};

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
export const monthBefore = (month: string): string => shifted(month, -1);
export const monthAfter = (month: string): string => shifted(month, 1);

/** "November 2026". */
export const monthText = (month: string): string => `${NAMES[Number(month.slice(5)) - 1]} ${Number(month.slice(0, 4))}`;

/** The month's last day, "2026-11-30". */
export const lastDayOf = (month: string): string => new Date(Date.parse(`${monthAfter(month)}-01T00:00:00Z`) - 1).toISOString().slice(0, 10);

/** Where an account's statement is read; `wallet` is the wallet. */
export const statementPath = (accountId: string, month: string): string => `/statements/${accountId}?month=${month}`;
