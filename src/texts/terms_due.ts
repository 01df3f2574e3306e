import { SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { lastKnown } from "../platform/database/last_known";
import { termsDueFor, termsToAccept } from "./queries";

/** So long, in ms, a new version of the terms may go unnoticed. */
const EVERY = 10 * SECOND;
/** So many people who accepted it are remembered; others are looked up again. */
const MOST = 20_000;

/**
 * Says of a person which version of the terms is to be accepted; null: none. While no version asks for it, and for whom accepted the one that does,
 * a page costs nothing more.
 */
export function watchTerms(app: AppContext): void {
  const ask = lastKnown((_now: "now") => termsToAccept(app.sql));
  const accepted = new Set<string>();
  let version: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    if (performance.now() - lookedAt < EVERY) return;
    lookedAt = performance.now();
    const newest = await ask("now");
    if (newest !== version) accepted.clear();
    version = newest;
  };
  app.termsDue = async (userId) => {
    await look();
    if (version === null || accepted.has(userId)) return null;
    const due = await termsDueFor(app.sql, userId);
    if (due === null && accepted.size < MOST) accepted.add(userId);
    return due;
  };
}
