import type { Notification, NotificationType } from "./schema";

/** What may come to a device: an alert of the open page, or a push. */
export const alertKinds = ["visitor", "deposit", "withdrawal", "trade", "registration", "ticket", "chat", "contact", "correction", "warning"] as const;
/** Visitors come all day, so a device gets them only on request. */
export const firstKinds: NotificationType[] = alertKinds.filter((kind) => kind !== "visitor");

/** Whether a device that asked for these kinds gets this one. Trades of demo accounts are left out. */
export const reaches = ({ type, metadata }: Pick<Notification, "type" | "metadata">, kinds: readonly NotificationType[]): boolean =>
  kinds.includes(type) && metadata.demo !== true;

const PLACES: Record<NotificationType, string> = {
  visitor: "visitors",
  deposit: "deposits",
  withdrawal: "withdrawals",
  trade: "trades",
  registration: "users",
  ticket: "support",
  chat: "support",
  contact: "support",
  correction: "trades",
  warning: "dashboard",
};
type Told = Pick<Notification, "type" | "metadata">;
/** Where in the admin app, or in the control panel, one goes on: at the ticket or the chat itself where the news tell of one. */
export const placeInApp = ({ type, metadata }: Told): string =>
  `/admin-app?tab=${isLimit(metadata) ? "trades" : PLACES[type]}${type === "chat" ? chatIn(metadata) : ""}`;
/** What clients hold reached a limit: the lists of positions show it. */
const isLimit = ({ limitOf }: Told["metadata"]) => typeof limitOf === "string";
const chatIn = ({ sessionId }: Told["metadata"]) => `&view=chat${typeof sessionId === "string" ? `&session=${sessionId}` : ""}`;
export const placeInPanel = ({ type, metadata }: Told): string => {
  if (typeof metadata.signatureId === "string") return "/admin?tab=settings&view=signatures";
  if (typeof metadata.documentId === "string") return "/admin?tab=kyc";
  if (type === "registration") return "/admin-registrations";
  if (type === "contact") return "/admin?tab=support&view=contact";
  if (type === "chat") return `/admin?tab=support${chatIn(metadata)}`;
  if (typeof metadata.ticketId === "string") return `/admin?tab=support&ticket=${metadata.ticketId}`;
  if (typeof metadata.clientId === "string") return `/admin/users/${metadata.clientId}`;
  if (isLimit(metadata)) return "/admin?tab=trades";
  return type === "warning" ? "/admin?tab=audit" : `/admin?tab=${PLACES[type]}`;
};
