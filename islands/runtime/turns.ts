/** What waits for its turn, by what it is done to. */
const waiting = new Map<unknown, () => void>();
let isDue = false;

/**
 * Runs `task` in a picture of its own: one at a time, in the order in which they were asked for, and a picture later than the last, which is drawn
 * in between. So no picture is long, however much changes at once. What is asked for again while it waits keeps its place and is done once, as it
 * was asked last.
 */
export function inTurn(of: unknown, task: () => void): void {
  waiting.set(of, task);
  if (!isDue) requestAnimationFrame(next);
  isDue = true;
}

function next() {
  isDue = false;
  for (const [of, task] of waiting) {
    waiting.delete(of);
    try {
      task();
    } finally {
      isDue = waiting.size > 0;
      if (isDue) requestAnimationFrame(() => requestAnimationFrame(next));
    }
    return;
  }
}
