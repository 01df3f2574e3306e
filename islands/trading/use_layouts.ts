import { useEffect, useRef, useState } from "react";
import { type ChartLayout, deleteLayout, type LayoutName, listLayouts, putLayout, readLayout } from "../../src/trading/schema_layouts";
import { ApiError, call } from "../wire/api";
import { attempt, tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { LayoutWriter } from "./layout_writer";

/** What is not saved under another name is saved under one that is free. */
const FIRST_NAME = "My chart";
function freeName(names: readonly LayoutName[]): string {
  const isTaken = (wanted: string) => names.some(({ name }) => name === wanted);
  let free = FIRST_NAME;
  for (let count = 2; isTaken(free); count++) free = `${FIRST_NAME} ${count}`;
  return free;
}

/** Another release wrote it, or nobody. */
const UNREADABLE = 409;

/** What is stored under that name, `unreadable` where that is no layout, null where it could not be had; a toast has said either. */
async function readNamed(name: string): Promise<ChartLayout | "unreadable" | null> {
  try {
    return await call(readLayout, undefined, { params: { name } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal("Layout not opened", error);
    return error.status === UNREADABLE ? "unreadable" : null;
  }
}

/** Null where they can't be had now: they are asked for again when the page is next turned to. */
async function listed(): Promise<LayoutName[] | null> {
  try {
    return await call(listLayouts);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/**
 * A person's chart layouts: the one that was written last opens by itself, on every device, and what is changed is saved to it. Where another
 * tab or device wrote it meanwhile, it is read anew as one turns to the page, since what is changed next would take its place; until one could be
 * had nothing is saved over it. `show` shows one that was opened, or in the place of one that can't be read `fallback`.
 */
export function useLayouts(layout: ChartLayout | null, fallback: ChartLayout, show: (layout: ChartLayout) => void) {
  const [names, setNames] = useState<LayoutName[] | null>(null);
  const [name, setName] = useState<string | null>(null);
  const [isRead, setRead] = useState(false);
  /** What the server has or is being sent: showing that is no change. */
  const known = useRef<ChartLayout | null>(null);

  const put = async (of: string, what: ChartLayout, signal?: AbortSignal) => {
    const sent = () => call(putLayout, what, { params: { name: of }, outlives: true, ...(signal ? { signal } : {}) });
    const done = await attempt("Layout not saved", sent);
    if (!done) return false;
    setName(of);
    setNames((before) => [done, ...(before ?? []).filter((each) => each.name !== of)]);
    return true;
  };
  const [writer] = useState(() => new LayoutWriter(({ name: of, layout: what }, signal) => put(of, what, signal).catch(() => false)));

  const now = useRef({ layout, name, names, fallback });
  useEffect(() => {
    now.current = { layout, name, names, fallback };
  });
  const take = (of: string, found: ChartLayout | "unreadable") => {
    setName(of);
    // In the place of one that can't be read comes what is chosen next, and not before.
    known.current = found === "unreadable" ? now.current.fallback : found;
    show(known.current);
  };
  const open = (of: string) =>
    writer.alone(async () => {
      const found = await readNamed(of);
      if (found) take(of, found);
    });
  /** Begins with what was written last, and goes on with what was written elsewhere. */
  const renew = async (found: LayoutName[] | null) => {
    const before = now.current;
    if (!found) return;
    const newest = found.find((each) => each.name === (before.name ?? (before.layout ? null : found[0]?.name)));
    const isKnown = before.names?.some((each) => each.name === newest?.name && each.updatedAt === newest.updatedAt);
    const read = newest && !isKnown ? await readNamed(newest.name) : null;
    // What could not be had is asked for again; what was chosen here meanwhile is newer.
    if ((newest && !isKnown && !read) || now.current.layout !== before.layout) return;
    setNames(found);
    if (!newest) setName(null);
    else if (read) take(newest.name, read);
  };
  const [begin] = useState(() => async () => {
    await renew(await attempt("Your layouts could not be read", () => call(listLayouts)));
    setRead(true);
  });
  useEffect(() => void begin(), [begin]);
  useTurning(() => writer.alone(async () => renew(await listed())));
  useEffect(() => {
    if (!layout || !names || layout === known.current) return;
    known.current = layout;
    writer.change({ name: name ?? freeName(names), layout });
  }, [writer, layout, names, name]);
  useLeaving(writer);

  return {
    names: names ?? [],
    name,
    /** Until then nothing is chosen, since what was saved would take its place. */
    isRead,
    open,
    saveAs: async (of: string) => {
      if (!layout) return;
      known.current = layout;
      if (await writer.alone(() => put(of, layout))) toast({ title: "Layout saved", description: `“${of}” opens on your other devices too.` });
    },
    remove: async () => {
      if (name === null) return;
      const deletion = async () => {
        await call(deleteLayout, undefined, { params: { name } });
        return true;
      };
      const done = await writer.alone(() => attempt("Layout not deleted", deletion), true);
      if (!done) return;
      // What is on the screen stays, and is saved again only once it is changed.
      setName(null);
      setNames((before) => (before ?? []).filter((each) => each.name !== name));
      toast({ title: "Layout deleted", description: `“${name}” is gone; the chart stays as it is.` });
    },
  };
}
export type Layouts = ReturnType<typeof useLayouts>;

/** Who goes on at once has changed it all the same. What is sent as late as `pagehide` does not always arrive, so each earlier sign is heard, too. */
function useLeaving(writer: LayoutWriter) {
  useEffect(() => {
    const soon = () => writer.hurry();
    const gone = () => writer.leave();
    const seen = () => document.visibilityState === "hidden" && soon();
    addEventListener("beforeunload", soon);
    addEventListener("pagehide", gone);
    document.addEventListener("visibilitychange", seen);
    return () => {
      gone();
      removeEventListener("beforeunload", soon);
      removeEventListener("pagehide", gone);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [writer]);
}

/** Does this whenever somebody turns to the page, from another tab, window or device. */
function useTurning(renew: () => Promise<unknown>) {
  const latest = useRef(renew);
  useEffect(() => {
    latest.current = renew;
  });
  useEffect(() => {
    const turned = () => document.visibilityState === "visible" && void latest.current();
    addEventListener("focus", turned);
    document.addEventListener("visibilitychange", turned);
    return () => {
      removeEventListener("focus", turned);
      document.removeEventListener("visibilitychange", turned);
    };
  }, []);
}
