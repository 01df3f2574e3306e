/** What waits for its turn, by what it is done to. */
const waiting = new Map<unknown, () => void>();
let isDue = false;

/**
 * Runs `task` in a picture of its own: one at a time, in the order in which they were asked for, and a picture later than the last, which is drawn
 * in between. So no picture is long, however much changes at once. What is asked for again while it waits keeps its place and is done once, as it
 * was asked last; what a task asks for comes after it, as the others do.
 */
export function inTurn(of: unknown, task: () => void): void {
  waiting.set(of, task);
  if (!isDue) requestAnimationFrame(next);
  isDue = true;
}

function next() {
  const [first] = waiting;
  if (!first) return void (isDue = false);
  const [of, task] = first;
  waiting.delete(of);
  // The next picture is this one's drawing, whatever is asked for meanwhile.
  requestAnimationFrame(() => requestAnimationFrame(next));
  task();
}
