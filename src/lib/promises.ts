import { HOUR } from "./time";

/**
 * Within how many hours the site says that staff act, counted from when somebody began to wait: the pages that promise it, the signs that a
 * wait is late, and Today take it from here. Of registrations nothing is promised, so none of them is ever late.
 */
export const PROMISED_HOURS = {
  deposit: 24,
  withdrawal: 24,
  contact: 24,
  ticket: { low: 48, medium: 24, high: 8, urgent: 2 },
} as const;

/** Who writes in the chat is there, and waits for the screen. */
export const CHAT_MINUTES = 10;

export const PROMISED_MS = PROMISED_HOURS.withdrawal * HOUR;
