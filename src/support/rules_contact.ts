import { conflict, Refusal } from "../lib/refusal";
import type { ContactStatus } from "./schema_contact";

/** How many messages one client network may send in so many seconds: an office behind one address gets through, a flood does not. */
export const CONTACT_LIMITS = [
  { messages: 30, seconds: 600 },
  { messages: 200, seconds: 86_400 },
] as const;

/** The same words from the same sender within so many seconds are one message: a second press, or a retry after a lost answer. */
export const SAME_MESSAGE_SECONDS = 600;

/** What a network sent lately, within one of the limits; `oldest` is the age in seconds of the first message that counts. */
export type Sent = { messages: number; oldest: number };

/** Refuses a network that sent too much, with the time until the oldest message no longer counts. `sent` is in the order of the limits. */
export function refuseFlood(sent: readonly Sent[]) {
  for (const [n, limit] of CONTACT_LIMITS.entries()) {
    const { messages, oldest } = sent[n] ?? { messages: 0, oldest: 0 };
    if (messages < limit.messages) continue;
    const wait = Math.max(1, Math.ceil(limit.seconds - oldest));
    throw new Refusal("too_many_requests", `Too many messages came from your network. Please try again in ${waitText(wait)}.`, undefined, wait);
  }
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
const waitText = (seconds: number) =>
  seconds < 60 ? counted(seconds, "second") : seconds < 3600 ? counted(Math.ceil(seconds / 60), "minute") : counted(Math.ceil(seconds / 3600), "hour");

/** What staff did, as the audit book names it. Refuses a change to what already is: somebody else was first. */
export function contactAction(from: ContactStatus, to: ContactStatus): string {
  if (from === to) throw conflict(to === "new" ? "This message is already open." : `This message is already ${to}.`);
  return { new: "contact.reopen", answered: "contact.answer", closed: "contact.close" }[to];
}
