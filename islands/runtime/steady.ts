import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** How long a row that was decided here stays at least, and a decision that can be taken back is offered to be, in ms. */
export const STAYS_MS = 8000;
/** A second press this soon after the first, in ms, was meant for what the first one hit. */
const PRESS_MS = 500;
/** How often is looked whether rows may move again. */
const LOOK_MS = 500;

type Ids = ReadonlySet<string>;
const NONE: Ids = new Set();
export type Shown<R> = {
  rows: R[];
  /** Rows that stand here still, though the list has them no more. */
  gone: Ids;
  /** How many the list has besides. */
  fresh: number;
};

/**
 * What a list shows of the `known` rows. While it is `held` no row moves: what is gone stays in its place, and what is new waits.
 * A list without rows has nothing to move, so it shows at once what comes, unless others stand below it. What was `asked` for comes too, below
 * the others.
 */
export function settle<R>(shown: readonly R[], known: readonly R[], held: boolean, keyOf: (row: R) => string, asked: Ids = NONE, isAlone = true): Shown<R> {
  if (!held || (shown.length === 0 && isAlone)) return { rows: [...known], gone: new Set(), fresh: 0 };
  const now = new Map(known.map((row) => [keyOf(row), row]));
  const there = new Set(shown.map(keyOf));
  const rows = [...shown.map((row) => now.get(keyOf(row)) ?? row), ...known.filter((row) => asked.has(keyOf(row)) && !there.has(keyOf(row)))];
  const gone = new Set([...there].filter((key) => !now.has(key)));
  return { rows, gone, fresh: known.length - (rows.length - gone.size) };
}

/** What was decided here: the words that stand in the row's place of deeds, and the way to take it back. */
export type Decided = { text: string; undo?: () => Promise<boolean> };
export type Steady<R> = Shown<R> & {
  /** What was decided here, by the row's key. */
  decided: ReadonlyMap<string, Decided>;
  /** Rows that may still be decided about. */
  open: R[];
  decide: (key: string, what: Decided) => void;
  /** It was taken back: the row is open again. */
  reopen: (key: string) => void;
  /** Lets this row in, whoever is there: it was asked for. */
  admit: (key: string) => void;
  /** Brings in what waits, and lets go of what is gone. */
  show: () => void;
};

/**
 * The one rule of all lists of staff: no row moves under a pointer or the keyboard. While either is in the list, or a dialog of it is
 * open, what is new waits behind a button and what was decided stays, marked. Under a finger, which comes from
 * nowhere, that is always so. `area` goes on the element that holds the rows. Where `wanted`, how many rows are asked for, has grown, the
 * rest comes in whoever is there: it was pressed for.
 */
export function useSteady<R>(known: R[], keyOf: (row: R) => string, wanted = 0): [list: Steady<R>, area: RefObject<HTMLDivElement | null>] {
  const area = useRef<HTMLDivElement>(null);
  const latest = useRef({ known, keyOf });
  const until = useRef(0);
  const [shown, setShown] = useState<Shown<R>>({ rows: known, gone: new Set(), fresh: 0 });
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map());
  const admitted = useRef<Ids>(NONE);
  const take = useCallback((held: boolean) => {
    const { known: now, keyOf: key } = latest.current;
    const { current: wished } = admitted;
    const isAlone = sharedBy(area.current) === null;
    setShown(({ rows }) => settle(rows, now, held, key, wished, isAlone));
    if (!held) admitted.current = NONE;
    if (!held) setDecided((before) => (before.size > 0 ? new Map() : before));
  }, []);
  const isHeld = useCallback(() => performance.now() < until.current || isUsed(area.current), []);
  useLayoutEffect(() => {
    latest.current = { known, keyOf };
  });
  const asked = useRef(wanted);
  /** How many were asked for before more were: an answer that has no more is an older one, still on its way. */
  const before = useRef(Infinity);
  useLayoutEffect(() => {
    const grows = known.length > before.current;
    take(isHeld() && !grows);
    if (grows) before.current = Infinity;
  }, [known, take, isHeld]);
  useLayoutEffect(() => {
    if (wanted > asked.current) before.current = asked.current;
    asked.current = wanted;
  }, [wanted]);
  const waits = shown.fresh > 0 || shown.gone.size > 0 || decided.size > 0;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => isHeld() || take(false), LOOK_MS);
    return () => clearInterval(timer);
  }, [waits, isHeld, take]);

  const decide = (key: string, what: Decided) => {
    until.current = performance.now() + STAYS_MS;
    setDecided((before) => new Map(before).set(key, what));
  };
  const reopen = (key: string) => setDecided((before) => new Map([...before].filter(([id]) => id !== key)));
  const admit = (key: string) => void (admitted.current = new Set([...admitted.current, key]));
  const isOpen = (row: R) => !shown.gone.has(keyOf(row)) && !decided.has(keyOf(row));
  const show = () => {
    until.current = 0;
    take(false);
  };
  return [{ ...shown, decided, open: shown.rows.filter(isOpen), decide, reopen, admit, show }, area];
}

/** What holds several lists below each other (`data-steady`): a hand in one is a hand in all, since one that grows moves those below it. */
const sharedBy = (area: HTMLElement | null) => area?.closest<HTMLElement>("[data-steady]") ?? null;

/** Whether a pointer rests in it, or the keyboard does, or a dialog in it is open. */
function isUsed(own: HTMLElement | null): boolean {
  if (!own) return false;
  const area = sharedBy(own) ?? own;
  return (
    area.matches(":hover") ||
    area.contains(document.activeElement) ||
    area.querySelector("dialog[open]") !== null ||
    (typeof matchMedia === "function" && matchMedia("(hover: none)").matches)
  );
}

export const idOf = ({ id }: { id: string }): string => id;

/** What a press is told by. */
const PRESSES = ["pointerdown", "keydown", "click"];

/**
 * Says whether a press that decides something may be heard: the second of a double press may not, since it could hit another row. A page that is busy
 * hears of a press late: what counts is when it was pressed, and that what the first one did is seen.
 */
export function usePress(): () => boolean {
  const done = useRef(-PRESS_MS);
  const pressed = useRef<number | null>(null);
  useEffect(() => {
    const note = ({ timeStamp }: Event) => void (pressed.current = timeStamp);
    for (const type of PRESSES) document.addEventListener(type, note, { capture: true, passive: true });
    return () => {
      for (const type of PRESSES) document.removeEventListener(type, note, { capture: true });
    };
  }, []);
  return useCallback(() => {
    const now = performance.now();
    if ((pressed.current ?? now) - done.current < PRESS_MS) return false;
    done.current = now;
    return true;
  }, []);
}

/** Half the width of a fingertip and of a hand's tremble, in pixels. */
const SAME_PLACE = 24;

/** Lets the next press hit nothing, if it comes soon, in the place of the last one. */
function swallowNext() {
  const at = performance.now();
  const first = lastPress;
  const stop = () => document.removeEventListener("click", hear, true);
  const hear = (event: MouseEvent) => {
    if (event.timeStamp - at > PRESS_MS) return stop();
    const isSame = first && Math.abs(event.clientX - first.x) < SAME_PLACE && Math.abs(event.clientY - first.y) < SAME_PLACE;
    if (event.detail === 0 || !isSame) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", hear, true);
  return stop;
}

/** For a dialog: the second of a double press hits nothing of it where the first one opened it, and nothing under it where that one closed it. */
export function useCalm() {
  useEffect(() => {
    const stop = swallowNext();
    return () => {
      stop();
      swallowNext();
    };
  }, []);
}

let lastPress: { x: number; y: number } | null = null;
if (typeof document !== "undefined")
  document.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => void (lastPress = { x, y }), { capture: true, passive: true });
