import type { Outcome } from "../../lib/outcome";
import { refusalOf, type Db } from "../database/db";
import { type Done, once } from "./idempotency";
import type { Idempotency } from "./request_context";

type Refused = { code: string; message: string };

/** Each request has a key of its own, made of the call's: a call that was cut off goes on, when it is repeated, where it ended. */
const ownKey = ({ key, fingerprint }: Idempotency, id: string): Idempotency => ({
  key: `${new Bun.CryptoHasher("sha256").update(key).digest("hex")}/${id}`,
  fingerprint,
});

/**
 * Decides about several requests, one transaction each, in the order given. What is refused stops none of the others; whatever else goes wrong
 * ends the call, and its repeat hears again what was done before. `told` is called after each commit, and not for what is only heard again.
 */
export async function together<I extends { id: string }, T, D extends Done<T> = Done<T>>(
  sql: Db,
  me: { id: string },
  key: Idempotency | null,
  requests: readonly I[],
  command: (request: I, key: Idempotency | null) => Promise<D & Done<T>>,
  told: (done: D) => void,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  for (const request of requests) {
    const { id } = request;
    const own = key && ownKey(key, id);
    try {
      const { reply, done } = await once<T, D>(sql, me, own, () => command(request, own));
      if (!done.repeated) told(done);
      outcomes.push(reply.status < 400 ? { id, done: reply.data, code: null, message: null } : refused(id, reply.data as Refused));
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      outcomes.push(refused(id, refusal));
    }
  }
  return outcomes;
}

const refused = (id: string, { code, message }: Refused) => ({ id, done: null, code, message });
