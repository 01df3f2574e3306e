/** Runs `task` once the page is loaded and the browser has nothing else to do: the first paint owes nothing to it. */
export function whenIdle(task: () => void) {
  const ask = () => void (globalThis.requestIdleCallback ?? setTimeout)(task);
  if (document.readyState === "complete") ask();
  else addEventListener("load", ask);
}
