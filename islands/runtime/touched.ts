/** What a hand does to a page. */
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "input"] as const;

let at = Date.now();
const hearers = new Set<() => void>();
if (typeof addEventListener === "function")
  for (const kind of TOUCHES)
    addEventListener(
      kind,
      ({ isTrusted }) => {
        if (!isTrusted) return;
        at = Date.now();
        for (const hear of hearers) hear();
      },
      { capture: true, passive: true },
    );

/** How long nobody has touched this page, in ms: by pointer, finger or key. A page that was just opened was touched. */
export const untouchedFor = (): number => Math.max(0, Date.now() - at);

/** What is opened, was touched. */
export const touch = (): void => void (at = Date.now());

/** Calls `hear` at each touch, until the answer is called. */
export function onTouch(hear: () => void): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}
