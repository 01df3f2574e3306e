/**
 * What the domains tell each other after a commit. Declared here in one place, so that publisher and
 * subscriber can't disagree; a payload is small and says 'look again', never holds money.
 */
export type Messages = {
  /** A batch of quotes, at most a few times a second; each program tells its own readers, from its own board. */
  quotes: QuoteMessage[];
  /** The leading program's board, for the others: what changed, when this was told, and when the feed last gave a sign of life (ms since the epoch). */
  feed: { epoch: number; at: number; heardAt: number; quotes: FeedQuote[] };
  /** A program that follows has just begun: the leader tells it the whole board. */
  board: Record<string, never>;
  /**
   * A program without the engine is about to deal: the leader sends at once what is new on its board (`feed`), then `renewedPrices`; where a person is
   * named in `after`, once all is written that the ticks until then have set off for that one.
   */
  askPrices: { nonce: string; after?: string };
  renewedPrices: { nonce: string; epoch: number };
  /** A program without the engine has dealt: the engine reads the rechecks asked of it. */
  look: Record<string, never>;
  /** The line between the programs was cut: messages were lost, so everything is to be read again. */
  renewed: Record<string, never>;
  /** A sign of life between the programs. */
  beat: { nonce: string };
  /** The person's positions or accounts changed; with the position's id where one did. */
  position: { userId: string; accountId: string; positionId: string };
  /** `dealt`: by a deal, of which the trading engine knows. */
  account: { userId: string; accountId: string | null; dealt?: true };
  /** `topic`: what its person may have chosen not to see; without one it is always shown. */
  notice: { userId: string; title: string; message: string; kind: "info" | "warning"; topic?: "trades" | "margin" | "money" | "support" | "security" };
  /** News for people were committed to their outbox: whoever takes them may do so at once. */
  personNews: Record<string, never>;
  /** A person's alert is new, fired, or gone: its person's streams and the leader's engine look at it. */
  alert: { userId: string; alertId: string; about: "set" | "fired" | "deleted" };
  /** The person's watchlists were written: the person's other tabs and devices look again. */
  watchlists: { userId: string };
  /** A money request came, or changed its state: for staff. */
  request: { kind: "deposit" | "withdrawal"; id: string; status: "pending" | "approved" | "rejected" | "cancelled" };
  /** A ticket of this person's is new, or another: for its owner and for staff. */
  ticket: { userId: string; ticketId: string };
  /** In this person's chat somebody wrote the message of that number, read up to it, is typing, or ended the session. */
  chat: { userId: string; sessionId: string; about: "message" | "read" | "typing" | "ended"; from: "trader" | "staff"; number: number };
  /** News for staff were committed to the outbox: whoever numbers them may do so at once. */
  raised: Record<string, never>;
  /** Staff notifications are numbered up to `last`: readers look again. */
  notification: { last: number };
  /** An administrator read notifications: that person's other tabs and devices look again. */
  read: { adminId: string };
  /** Something on staff's screens changed: a person, a claim on a request or its being put away, a correction that waits, a setting of the panel. */
  staff: { about: "person" | "claim" | "snooze" | "correction" | "setting" | "contact" | "day" | "role" | "signature" };
  /** An administrator writes an answer to this ticket or chat, or does no longer: for the others. */
  writing: { objectId: string; adminId: string; name: string; draft: boolean };
  /** The house has another name, colour or picture: each program reads them again. */
  brand: Record<string, never>;
  /** Visits were written: readers fetch them. */
  visits: Record<string, never>;
  /** Staff decided about this person's registration, identity or account: open pages look again. */
  standing: { userId: string };
  /** A person's sessions ended (sign-out, ban, demotion): their streams close. */
  sessions: { userId: string; sessionId: string | null };
  /** What a person, or everybody of a role of staff, may do is another: their streams close, and are opened again by what they may do now. */
  rights: { userId: string | null; staffRole: string | null };
};
export type QuoteMessage = {
  symbol: string;
  bid: string;
  ask: string;
  time: string;
  seq: number;
  stale: boolean;
  open: boolean;
  closeOnly?: true;
  barred?: "buy" | "sell";
};
/** A quote for other programs: when the feed said it (ms since the epoch), and whether it still stands by it. A program of the first release tells neither. */
export type FeedQuote = QuoteMessage & { receivedAt?: number; vouched?: boolean };

export type Bus = {
  publish<K extends keyof Messages>(topic: K, message: Messages[K]): void;
  /** Returns the way to stop listening. */
  subscribe<K extends keyof Messages>(topic: K, listener: (message: Messages[K]) => void): () => void;
};

/** A bus within this process. A listener that fails is reported, and the others still get the message. */
export function localBus(onFault: (error: unknown) => void): Bus {
  const listeners = new Map<string, Set<(message: never) => void>>();
  return {
    publish(topic, message) {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          listener(message as never);
        } catch (error) {
          onFault(error);
        }
      }
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener as (message: never) => void));
      return () => void set.delete(listener as (message: never) => void);
    },
  };
}
