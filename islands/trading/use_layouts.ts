import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type ChartLayout, deleteLayout, type LayoutName, listLayouts, putLayout, readLayout } from "../../src/trading/schema_layouts";
import { addressOf, ApiError, call } from "../wire/api";
import { attempt, tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";

/** What is not saved under another name. */
const FIRST_NAME = "My chart";
/** A change is saved so long after it, in ms, so that a drag is one. */
const SAVE_MS = 400;

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
  /** What the server has, as far as is known here: showing that is no change. */
  const saved = useRef<ChartLayout | null>(null);

  const open = async (of: string) => {
    const found = await readNamed(of);
    // Where it can't be read the default stands, and what is chosen now takes its place.
    setName(of);
    saved.current = found;
    if (found) show(found);
  };
  const save = async (of: string, what: ChartLayout) => {
    const done = await attempt("Layout not saved", () => call(putLayout, what, { params: { name: of } }));
    if (!done) return false;
    saved.current = what;
    setName(of);
    setNames((before) => [done, ...(before ?? []).filter((each) => each.name !== of)]);
    return true;
  };

  useEffect(() => {
    let gone = false;
    readNewest().then(
      ({ names: known, found }) => {
        if (gone) return;
        setNames(known);
        setName(known[0]?.name ?? null);
        saved.current = found;
        if (found) show(found);
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [show]);
  useEffect(() => {
    if (!layout || !names || layout === saved.current) return;
    const of = name ?? FIRST_NAME;
    const timer = setTimeout(() => void save(of, layout), SAVE_MS);
    return () => clearTimeout(timer);
  }, [layout, names, name]);

  // Who goes on at once has changed it all the same: what was drawn last counts, whether or not its effects have run.
  const drawn = useRef({ layout, names, name });
  useLayoutEffect(() => {
    drawn.current = { layout, names, name };
  });
  useEffect(() => {
    const leave = () => {
      const last = drawn.current;
      if (!last.layout || !last.names || last.layout === saved.current) return;
      const sent = {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(last.layout),
        credentials: "same-origin",
        keepalive: true,
      } as const;
      void fetch(addressOf(putLayout.path, { name: last.name ?? FIRST_NAME }, {}), sent).catch(() => {});
    };
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);

  return {
    names: names ?? [],
    name,
    open,
    saveAs: async (of: string) => {
      if (layout && (await save(of, layout))) toast({ title: "Layout saved", description: `“${of}” opens on your other devices too.` });
    },
    remove: async () => {
      if (name === null) return;
      const done = await attempt("Layout not deleted", async () => {
        await call(deleteLayout, undefined, { params: { name } });
        return true;
      });
      if (!done) return;
      // What is on the screen stays, and is saved again only once it is changed.
      saved.current = layout;
      setName(null);
      setNames((before) => (before ?? []).filter((each) => each.name !== name));
      toast({ title: "Layout deleted", description: `“${name}” is gone; the chart stays as it is.` });
    },
  };
}
export type Layouts = ReturnType<typeof useLayouts>;
