/** A browser that never finds itself idle, as Chromium does with a calm page now and then, does it after so many ms all the same. */
const AT_LATEST_MS = 2000;

/** Runs `task` when the browser has nothing else to do. */
export const atIdle = (task: () => void): unknown => self.requestIdleCallback?.(task, { timeout: AT_LATEST_MS }) ?? setTimeout(task);

/** Runs `task` once the page is loaded and the browser has nothing else to do: the first paint owes nothing to it. */
export function whenIdle(task: () => void) {
  if (document.readyState === "complete") atIdle(task);
  else addEventListener("load", () => atIdle(task));
}

/** Runs `task` at the end of whatever runs now, once however often it is asked for meanwhile. */
export function atTurnsEnd(task: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      task();
    });
  };
}

/** Runs `task` once what was changed up to now is on the screen. Answers the way to leave it. */
export function afterPaint(task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (timer = setTimeout(task)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
