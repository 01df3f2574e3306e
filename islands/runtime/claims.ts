import { useEffect } from "react";
import { may } from "../../src/lib/may";
import { type Claim, claim, CLAIM_IDLE_SECONDS, type ClaimKind, listClaims, release } from "../../src/admin/schema";
import { MINUTE, SECOND } from "../../src/lib/time";
import { addressOf, ApiError, call } from "../wire/api";
import { useLive } from "./live_list";
import { onTouch, touch, untouchedFor } from "./touched";

/** A claim lasts 45 seconds on the server, so one renewal may fail. */
const RENEW_MS = 15_000;

/** The other administrators who have a request open, by the request's id: "Grace Hopper is looking at this". */
export function useViewers(me: string): ReadonlyMap<string, string> {
  const { value, again } = useLive<Claim[]>([], () => call(listClaims), ["claim"]);
  const others = value.filter(({ adminId }) => adminId !== me);
  const some = others.length > 0;
  // A browser that died tells nobody: its claim fades on the server.
  useEffect(() => {
    if (!some) return;
    const timer = setInterval(() => void again(), RENEW_MS);
    return () => clearInterval(timer);
  }, [some, again]);
  const names = Map.groupBy(others, ({ objectId }) => objectId);
  return new Map([...names].map(([id, claims]) => [id, viewersText(claims)]));
}

/** Those of the rows that may still be decided about: at one that was decided and only stands there still, nobody looks any more. */
export const viewersOf = (open: readonly { id: string }[], viewers: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const ids = new Set(open.map(({ id }) => id));
  return new Map([...viewers].filter(([id]) => ids.has(id)));
};

function viewersText(claims: Claim[]): string {
  const [first = "", ...more] = [...new Set(claims.map(({ name }) => name))];
  if (more.length > 0) return `${first} and ${more.length} more are looking at this`;
  const minutes = Math.floor((Date.now() - Math.max(...claims.map(({ touchedAt }) => Date.parse(touchedAt)))) / MINUTE);
  return minutes < 1 ? `${first} is looking at this` : `${first} has this open, untouched for ${minutes} min`;
}

/**
 * Shows the other administrators that `objectId` is open here, for as long as somebody touches the page: five minutes after the last touch it
 * lapses, and the next one claims it anew.
 */
export function useClaim(kind: ClaimKind, objectId: string | null) {
  useEffect(() => {
    if (objectId === null || !may("queues.work")) return;
    touch();
    let lapsed = false;
    const renew = () => {
      const idle = Math.floor(untouchedFor() / SECOND);
      lapsed = idle >= CLAIM_IDLE_SECONDS;
      if (!lapsed) void call(claim, { kind, objectId, idle }).catch(ignoreRefusal);
    };
    const leave = () =>
      void fetch(addressOf(release.path, { id: objectId }, {}), { method: "DELETE", credentials: "same-origin", keepalive: true }).catch(() => {});
    renew();
    const timer = setInterval(renew, RENEW_MS);
    const stop = onTouch(() => lapsed && renew());
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      stop();
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [kind, objectId]);
}

/** A claim that is refused is no reason to stop: the decision itself says what is wrong. */
function ignoreRefusal(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
}
