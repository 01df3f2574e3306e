import { afterPaint } from "../runtime/idle";
import type { Bar, ChartHost } from "./chart_host";

/** How many candles an arrow key goes at once with Shift, and by how much one key brings them nearer. */
const FAR = 10;
const NEARER = 1.25;
/** So many candles stay in sight beside the one that is pointed at. */
const BESIDE = 2;

/**
 * The chart by keyboard, where it has the focus: the arrow keys lead the crosshair from candle to candle, with Shift by ten, Home and End to the
 * first and the newest that there are, plus and minus bring them nearer and away, Escape leaves. `point` hears which candle it is, null: none.
 * Answers the way to end it.
 */
export function takeKeys(host: ChartHost, point: (at: number | null) => void): () => void {
  const { ground, chart, series, bars } = host;
  const scale = chart.timeScale();
  let pointed: Bar["time"] | null = null;
  const whereabouts = () => bars().findIndex(({ time }) => time === pointed);
  let unasked = () => {};
  const leave = () => {
    unasked();
    if (pointed === null) return;
    pointed = null;
    chart.clearCrosshairPosition();
    point(null);
  };
  const cross = () => {
    const at = whereabouts();
    const bar = bars()[at];
    if (!bar) return leave();
    chart.setCrosshairPosition(bar.close, bar.time, series);
    point(at);
  };
  const go = (to: number) => {
    const at = Math.max(0, Math.min(to, bars().length - 1));
    pointed = bars()[at]?.time ?? null;
    const range = scale.getVisibleLogicalRange();
    if (!range || pointed === null) return;
    const by = Math.min(0, at - BESIDE - range.from) + Math.max(0, at + BESIDE - range.to);
    if (by !== 0) scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    point(at);
    // Where it stands is known once the candles have moved.
    unasked();
    unasked = afterPaint(cross);
  };
  const zoom = (by: number) => {
    const range = scale.getVisibleLogicalRange();
    if (range) scale.setVisibleLogicalRange({ from: range.to - (range.to - range.from) / by, to: range.to });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.target !== ground || event.ctrlKey || event.metaKey || event.altKey || bars().length === 0) return;
    const known = whereabouts();
    const from = known < 0 ? bars().length - 1 : known;
    const far = event.shiftKey ? FAR : 1;
    const to = { ArrowLeft: from - far, ArrowRight: from + far, Home: 0, End: bars().length - 1 }[event.key];
    const by = { "+": NEARER, "=": NEARER, "-": 1 / NEARER }[event.key];
    if (to !== undefined) go(to);
    else if (by) zoom(by);
    else if (event.key === "Escape" && pointed !== null) leave();
    else return;
    event.preventDefault();
  };
  ground.tabIndex = 0;
  if (!ground.hasAttribute("role")) {
    ground.setAttribute("role", "group");
    ground.setAttribute("aria-label", "Prices. Arrow keys lead from candle to candle.");
  }
  ground.classList.add("focus-visible:outline-offset-[-2px]");
  ground.addEventListener("keydown", pressed);
  ground.addEventListener("blur", leave);
  const stop = host.listen((news) => news === "data" && pointed !== null && cross());
  return () => {
    unasked();
    stop();
    ground.removeEventListener("keydown", pressed);
    ground.removeEventListener("blur", leave);
  };
}
