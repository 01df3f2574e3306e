import type { AnswerOf, BodyFor, Endpoint, ParamsFor } from "../../src/lib/endpoint";
import { ApiError, callUnder, isPutOff, isUnanswered, newKey } from "./api";
import { keep, kept } from "./kept";

/** Within so many ms a press counts as another try of the one before. After that it is a new one: by then the lists show what came of the first. */
const KEPT_MS = 600_000;
const LOST = "No answer came. Press again to make sure: it is not done twice.";
/** What nobody knows to have failed is not said to have failed. */
const UNKNOWN = "No answer yet";

type Sent = { key: string; body: unknown; at: number };
/**
 * The tries without an answer, by what they ask for. They outlive a redraw, and all panels of the page share them. A reload loses the answer
 * and keeps what was written, so this is kept, too, before it is sent.
 */
const KEPT = "unanswered";

const known = () => (kept(KEPT) ?? {}) as Record<string, Sent>;
const isYoung = ({ at }: Sent) => Date.now() - at < KEPT_MS;

function note(intent: string, sent: Sent | null) {
  const { [intent]: _, ...others } = known();
  const all = Object.entries(sent ? { ...others, [intent]: sent } : others).filter(([, each]) => isYoung(each));
  keep(KEPT, all.length ? Object.fromEntries(all) : null);
}

/**
 * Sends what may not be done twice, under an Idempotency-Key. A try that may have been done is sent again word for word under the same key,
 * until the server says what came of it. The next one is new. `seen` is what the screen showed at the press (a price): it is sent along, but
 * does not make another wish of the same order.
 */
export async function sendOnce<E extends Endpoint & { once: true }>(
  endpoint: E,
  body: BodyFor<E>,
  params?: ParamsFor<E>,
  seen?: Partial<NonNullable<BodyFor<E>>>,
): Promise<AnswerOf<E>> {
  const intent = JSON.stringify([endpoint.path, params, body]);
  const before = known()[intent];
  const earlier = before && isYoung(before) ? before : null;
  const { key, body: words } = earlier ?? { key: newKey(), body: seen ? Object.assign({}, body, seen) : body };
  note(intent, { key, body: words, at: Date.now() });
  try {
    const answer = await callUnder(key, endpoint, words as BodyFor<E>, params === undefined ? {} : { params });
    note(intent, null);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // 'Not now' is said of this try alone: an earlier one may still have been done.
    if (!isUnanswered(error)) {
      if (!earlier || !isPutOff(error)) note(intent, null);
      throw error;
    }
    const { status, code, message, fields, retryAfter } = error;
    // With a fault of its own the server has answered.
    throw new ApiError(status, !status || code === "unknown" ? LOST : message, code, fields, retryAfter, code === "internal" ? null : UNKNOWN);
  }
}
