import { useEffect } from "react";
import { type Claim, claim, type ClaimKind, listClaims, release } from "../../src/admin/schema";
import { addressOf, ApiError, call } from "./api";
import { useLive } from "./live_list";

/** A claim lasts 45 seconds on the server, so one renewal may fail. */
const RENEW_MS = 15_000;

/** The others who look at requests, by the request's id: "Grace Hopper is looking at this". */
export function useLooking(me: string): ReadonlyMap<string, string> {
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
  return new Map([...names].map(([id, claims]) => [id, lookingText(claims.map(({ name }) => name))]));
}

const lookingText = (names: string[]) => {
  const [first = "", ...more] = [...new Set(names)];
  return more.length === 0 ? `${first} is looking at this` : `${first} and ${more.length} more are looking at this`;
};

/** Tells the others, for as long as `objectId` is open here, that it is looked at. */
export function useClaim(kind: ClaimKind, objectId: string | null) {
  useEffect(() => {
    if (objectId === null) return;
    const renew = () => void call(claim, { kind, objectId }).catch(ignoreRefusal);
    const leave = () =>
      void fetch(addressOf(release.path, { id: objectId }, {}), { method: "DELETE", credentials: "same-origin", keepalive: true }).catch(() => {});
    renew();
    const timer = setInterval(renew, RENEW_MS);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [kind, objectId]);
}

/** To look at a request matters less than the request: who can't say so is told by the deed itself. */
function ignoreRefusal(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
}
