import { useEffect, useRef, useState } from "react";
import { type ChartLayout, deleteLayout, type LayoutName, listLayouts, putLayout, readLayout } from "../../src/trading/schema_layouts";
import { ApiError, call } from "../wire/api";
import { attempt, tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { LayoutWriter } from "./layout_writer";

/** What is not saved under another name. */
const FIRST_NAME = "My chart";

/** Null where it can't be read, which a toast has said. */
async function readNamed(name: string): Promise<ChartLayout | null> {
  try {
    return await call(readLayout, undefined, { params: { name } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal("Layout not opened", error);
    return null;
  }
}

async function readNewest() {
  const names = await call(listLayouts);
  const [newest] = names;
  return { names, found: newest ? await readNamed(newest.name) : null };
}

/**
 * A person's chart layouts: the one that was written last opens by itself, on every device, and what is changed is saved to it. `show` shows
 * one that was opened.
 */
export function useLayouts(layout: ChartLayout | null, show: (layout: ChartLayout) => void) {
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

  const open = (of: string) =>
    writer.alone(async () => {
      const found = await readNamed(of);
      // Where it can't be read the default stands, and what is chosen now takes its place.
      setName(of);
      known.current = found;
      if (found) show(found);
    });

  useEffect(() => {
    let gone = false;
    attempt("Your layouts could not be read", readNewest).then((read) => {
      if (gone) return;
      setRead(true);
      if (!read) return;
      setNames(read.names);
      setName(read.names[0]?.name ?? null);
      known.current = read.found;
      if (read.found) show(read.found);
    });
    return () => {
      gone = true;
    };
  }, [show]);
  useEffect(() => {
    if (!layout || !names || layout === known.current) return;
    known.current = layout;
    writer.change({ name: name ?? FIRST_NAME, layout });
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
