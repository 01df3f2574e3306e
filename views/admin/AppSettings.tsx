import type { NotificationType } from "../../src/notifications/schema";

export const KIND_WORDS: Record<NotificationType, string> = {
  visitor: "Visitors",
  deposit: "Deposits",
  withdrawal: "Withdrawals",
  trade: "Trades on live accounts",
  registration: "Registrations",
  ticket: "Support tickets",
  chat: "Chat messages",
  contact: "Contact messages",
  correction: "Corrections and objections",
  warning: "Warnings",
};
