import type { ChartHost } from "./chart_host";
import type { ChartWalk } from "./chart_walk";

const WALKS = /^(Arrow(Left|Right)|Home|End)$/;

/**
 * Makes a chart a place for the keyboard to stand on, where arrow keys go from candle to candle; the code for that comes with the first of them.
 * What else its keys do: in words, and as `aria-keyshortcuts` has them. Answers the way to end it.
 */
export function takeKeys(host: ChartHost, [more, keys]: [words: string, keys: string]): () => void {
  const { ground } = host;
  let walk: ChartWalk | undefined;
  let isOver = false;
  const go = async (key: string, isFar: boolean) => {
    const { ChartWalk } = await import("./chart_walk");
    if (isOver) return;
    walk ??= new ChartWalk(host);
    walk.go(key, isFar);
  };
  const keyed = (event: KeyboardEvent) => {
    const { key, target, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (target !== ground || altKey || ctrlKey || metaKey || !(WALKS.test(key) || (key === "Escape" && walk?.isHeld))) return;
    event.preventDefault();
    go(key, shiftKey).catch((error: unknown) => console.error("the chart's keys could not be loaded", error));
  };
  const attributes = {
    tabindex: "0",
    // So that screen readers leave it the arrow keys.
    role: "application",
    "aria-label": `Prices. Arrow keys go from candle to candle.${more}`,
    "aria-keyshortcuts": `ArrowLeft ArrowRight Home End Escape${keys}`,
  };
  for (const [name, value] of Object.entries(attributes)) ground.setAttribute(name, value);
  ground.classList.add("focus-visible:outline-offset-[-2px]");
  // Around the chart: what its drawings and menus do with a key comes first, and is not heard here.
  const around = ground.parentElement ?? ground;
  around.addEventListener("keydown", keyed);
  return () => {
    isOver = true;
    around.removeEventListener("keydown", keyed);
    walk?.close();
  };
}
