import { DAY, HOUR, MINUTE, SECOND } from "../lib/time";

/** What a person may do without by letter; the kinds that have no topic are always sent. */
export const letterTopics = ["trades", "margin", "money", "support", "statements"] as const;
export type LetterTopic = (typeof letterTopics)[number];

/** What a link in a letter opens. */
export const purposes = ["verify", "reset", "take_back", "freeze", "unsubscribe"] as const;
export type Purpose = (typeof purposes)[number];

/** For how long a link is good, in ms, from when its letter was sent. */
export const GOOD_FOR: Record<Purpose, number> = {
  verify: 3 * DAY,
  reset: 30 * MINUTE,
  take_back: 7 * DAY,
  // A letter of warning is worth nothing if its button is dead by the time it is read.
  freeze: 7 * DAY,
  unsubscribe: 90 * DAY,
};

/** The page that a link opens: it shows a button, and nothing is used up before that is pressed. */
export const PAGE_OF: Record<Purpose, string> = {
  verify: "/verify-email",
  reset: "/reset-password",
  take_back: "/take-back-email",
  freeze: "/freeze",
  unsubscribe: "/unsubscribe",
};

/** Each kind of letter: the choice by which it can be done without, and the links that it brings. */
export const KINDS = {
  verify_email: { topic: null, links: ["verify"] },
  confirm_email: { topic: null, links: ["verify"] },
  reset_password: { topic: null, links: ["reset"] },
  new_device: { topic: null, links: ["freeze"] },
  email_changed: { topic: null, links: ["take_back", "freeze"] },
  password_changed: { topic: null, links: ["freeze"] },
  factor_added: { topic: null, links: ["freeze"] },
  factor_removed: { topic: null, links: ["freeze"] },
  payout_address: { topic: null, links: ["freeze"] },
  account_frozen: { topic: null, links: ["reset"] },
  registration_decided: { topic: null, links: [] },
  country_changed: { topic: null, links: [] },
  document_decided: { topic: null, links: [] },
  export_ready: { topic: null, links: [] },
  account_closed: { topic: null, links: [] },
  document_ends: { topic: null, links: [] },
  deposit_asked: { topic: "money", links: [] },
  deposit_decided: { topic: "money", links: [] },
  withdrawal_asked: { topic: "money", links: ["freeze"] },
  withdrawal_decided: { topic: "money", links: [] },
  margin_call: { topic: "margin", links: [] },
  stop_out: { topic: "margin", links: [] },
  correction: { topic: "trades", links: [] },
  dispute: { topic: "trades", links: [] },
  ticket_answered: { topic: "support", links: [] },
  statement: { topic: "statements", links: [] },
  checkpoint: { topic: null, links: [] },
  test: { topic: null, links: [] },
} as const satisfies Record<string, { topic: LetterTopic | null; links: readonly Purpose[] }>;
export type LetterKind = keyof typeof KINDS;
export const isKind = (text: string): text is LetterKind => Object.hasOwn(KINDS, text);

/** The links that a letter of this kind brings, the way out of its topic among them. */
export const linksOf = (kind: LetterKind): readonly Purpose[] => {
  const { topic, links } = KINDS[kind];
  return topic === null ? links : [...links, "unsubscribe"];
};

/** After this long a letter is given up. */
export const GIVEN_UP_MS = DAY;
/** Before the next try, in ms: half a minute, then twice as long each time, up to an hour. */
export const waitAfter = (attempts: number): number => Math.min(HOUR, 30 * SECOND * 2 ** Math.max(0, attempts - 1));
/** After a server that could not be reached so many times on end, before any letter is tried, in ms. */
export const pauseAfter = (failures: number): number => Math.min(MINUTE, SECOND * 2 ** Math.min(failures, 10));
