import { useRef } from "react";
import type { AnswerOf, BodyFor, Endpoint, ParamsFor } from "../../src/lib/endpoint";
import { ApiError, call, newKey } from "./api";

/** Answers after which the deed may or may not have been done, or may be tried again later. */
const UNANSWERED = new Set([0, 429, 502, 503, 504]);

/**
 * Sends a deed that moves money. Sent again with the same body after its answer was lost it goes under the same key, so that a
 * second press can't do it twice; an answered one gets a new key.
 */
export function useIntent() {
  const open = useRef<{ intent: string; key: string } | null>(null);
  return async function send<E extends Endpoint>(endpoint: E, body: BodyFor<E>, params?: ParamsFor<E>): Promise<AnswerOf<E>> {
    const intent = JSON.stringify([endpoint.path, params, body]);
    const { key } = open.current?.intent === intent ? open.current : { key: newKey() };
    open.current = { intent, key };
    try {
      const answer = await call(endpoint, body, { idempotencyKey: key, ...(params === undefined ? {} : { params }) });
      open.current = null;
      return answer;
    } catch (error) {
      if (error instanceof ApiError && !UNANSWERED.has(error.status)) open.current = null;
      throw error;
    }
  };
}
