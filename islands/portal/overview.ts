import { signal } from "@preact/signals-react";
import { useEffect } from "react";
import { getOverview, myStream, type Overview } from "../../src/portal/schema";
import { ApiError, call } from "../wire/api";
import { listen } from "../wire/stream";

/** Null until it was asked for anew. */
const newest = signal<Overview | null>(null);

/** One change comes as several events, so the refresh waits for all of them. */
const GATHER_MS = 200;
let asked: ReturnType<typeof setTimeout> | undefined;
let asking = false;
let again = false;

function refreshOverview() {
  again = true;
  asked ??= setTimeout(() => void load(), GATHER_MS);
}

async function load(): Promise<void> {
  asked = undefined;
  if (asking || !again) return;
  asking = true;
  again = false;
  try {
    newest.value = await call(getOverview);
  } catch (error) {
    // What can't be had now stays as it was; the stream begins anew when the server is back.
    if (!(error instanceof ApiError)) throw error;
  } finally {
    asking = false;
    if (again) refreshOverview();
  }
}

/**
 * How the person stands, asked for anew whenever the stream tells of a change. `here`: the browser has taken over. The component itself calls
 * `useSignals()`.
 */
export function useOverview(first: Overview, here: boolean): Overview {
  useEffect(
    () =>
      listen<Record<"snapshot" | "position" | "account" | "purse", object>>(myStream.path, {
        snapshot: refreshOverview,
        position: refreshOverview,
        account: refreshOverview,
        purse: refreshOverview,
      }),
    [],
  );
  return (here && newest.value) || first;
}

/** Forgets what was asked for; for tests. */
export function forgetOverview() {
  clearTimeout(asked);
  asked = undefined;
  again = false;
  newest.value = null;
}
