/**
 * What the rooms of the house tell each other after a commit. Declared here in one place, so that publisher and
 * subscriber can't disagree; a payload is small and says 'look again', never holds money.
 */
export type Messages = {
  /** A batch of quotes, at most a few times a second. */
  quotes: QuoteMessage[];
  /** The person's positions or accounts changed; with the position's id where one did. */
  position: { userId: string; accountId: string; positionId: string };
  /** `dealt`: by a deal, of which the trading engine knows. */
  account: { userId: string; accountId: string | null; dealt?: true };
  notice: { userId: string; title: string; message: string; kind: "info" | "warning" };
  /** A money request came, or changed its state: for staff. */
  request: { kind: "deposit" | "withdrawal"; id: string; status: "pending" | "approved" | "rejected" | "cancelled" };
  /** A person's sessions ended (sign-out, ban, demotion): their streams close. */
  sessions: { userId: string; sessionId: string | null };
};
export type QuoteMessage = { symbol: string; bid: string; ask: string; time: string; seq: number; stale: boolean; open: boolean };

export type Bus = {
  publish<K extends keyof Messages>(topic: K, message: Messages[K]): void;
  /** Returns the way to stop listening. */
  subscribe<K extends keyof Messages>(topic: K, listener: (message: Messages[K]) => void): () => void;
};

/** A bus within this process. A listener's fault is its own: it is reported and the others are still told. */
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
