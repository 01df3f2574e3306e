import { midText, percentText, splitPrice } from "../../src/lib/quote_text";
import { whenIdle } from "../runtime/idle";

/** The landing page's own script, without a framework: live prices in the cells that changed, and the hero's slides. */
type QuoteNews = { symbol: string; bid: string; ask: string; stale: boolean };

try {
  // What this tab kept for who signed out (`wire/kept.ts`) is nobody else's.
  sessionStorage.removeItem("kept");
} catch {
  // Where storage is forbidden nothing was kept.
}

const TINT_MS = 400;
const SLIDE_MS = 5000;

const rows = new Map<string, HTMLElement[]>();
for (const row of document.querySelectorAll<HTMLElement>("[data-symbol]")) {
  const symbol = row.dataset.symbol ?? "";
  rows.set(symbol, [...(rows.get(symbol) ?? []), row]);
}

const span = (text: string, className = "", tag: "span" | "sup" = "span") => Object.assign(document.createElement(tag), { textContent: text, className });

function writePrice(row: HTMLElement, name: string, value: string, digits: number) {
  const cell = row.querySelector<HTMLElement>(`[data-cell=${name}]`);
  const shown = cell?.firstElementChild;
  if (!cell || !shown) return;
  const { head, pips, fraction } = splitPrice(value, digits);
  const before = shown.textContent ?? "";
  if (before === head + pips + fraction) return;
  shown.replaceChildren(head, span(pips, "font-semibold"), span(fraction, "text-[0.72em] font-semibold leading-none", "sup"));
  // What the page was drawn with is older than a tick.
  if (row.dataset.live === undefined) return;
  const tint = Number(value) > Number(before) ? "tick-up" : "tick-down";
  cell.classList.add(tint);
  setTimeout(() => cell.classList.remove(tint), TINT_MS);
}

function writeChange(row: HTMLElement, percent: string) {
  const shown = row.querySelector<HTMLElement>("[data-cell=change]")?.firstElementChild;
  if (!shown) return;
  const down = percent.startsWith("-");
  const size = percent.replace("-", "");
  const zero = !/[1-9]/.test(size);
  const text = `${zero ? "" : down ? "−" : "+"}${size}%`;
  if (shown.lastChild?.textContent === text) return;
  shown.className = `whitespace-nowrap tabular-nums ${zero ? "text-soft" : down ? "text-loss" : "text-gain"}`;
  const mark = span(down ? "▼" : "▲", "mr-1 text-[0.7em]");
  mark.ariaHidden = "true";
  shown.replaceChildren(...(zero ? [] : [mark]), text);
}

/** The newest quote of each symbol, and the rows in sight that do not show theirs yet. */
const newest = new Map<string, QuoteNews>();
const inSight = new Set<HTMLElement>();
const waiting = new Set<HTMLElement>();
const ROWS_A_FRAME = 3;

function write(row: HTMLElement) {
  const news = newest.get(row.dataset.symbol ?? "");
  if (!news) return;
  const { bid, ask, stale } = news;
  const digits = Number(row.dataset.digits);
  const price = midText(bid, ask, digits);
  row.toggleAttribute("data-stale", stale);
  writePrice(row, "price", price, digits);
  writePrice(row, "bid", bid, digits);
  writePrice(row, "ask", ask, digits);
  const both = row.querySelector("[data-cell=both] span");
  if (both) both.textContent = [bid, ask].map((each) => Object.values(splitPrice(each, digits)).join("")).join(" / ");
  writeChange(row, percentText(price, row.dataset.dayOpen ?? ""));
  row.dataset.live = "";
}

/** Only visible cells are written, and in small portions, so that a phone answers a thumb between them. */
function queue(row: HTMLElement) {
  if (!inSight.has(row)) return;
  if (waiting.size === 0) requestAnimationFrame(portion);
  waiting.add(row);
}

function portion() {
  for (const row of [...waiting].slice(0, ROWS_A_FRAME)) {
    waiting.delete(row);
    write(row);
  }
  if (waiting.size > 0) requestAnimationFrame(portion);
}

function hear(news: QuoteNews[]) {
  document.querySelector("[data-samples]")?.remove();
  for (const quote of news) {
    newest.set(quote.symbol, quote);
    rows.get(quote.symbol)?.forEach(queue);
  }
}

let source: EventSource | null = null;
/** Prices move while someone looks; a hidden page holds no connection. */
function follow() {
  source?.close();
  source = null;
  if (document.hidden || rows.size === 0) return;
  source = new EventSource(`/api/market/stream?symbols=${encodeURIComponent([...rows.keys()].join(","))}`);
  const read = (event: MessageEvent<string>) => hear(JSON.parse(event.data) as QuoteNews[]);
  source.addEventListener("snapshot", read);
  source.addEventListener("quotes", read);
}

function watchRows() {
  const sight = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes as (IntersectionObserverEntry & { target: HTMLElement })[]) {
      if (!isIntersecting) inSight.delete(target);
      else {
        inSight.add(target);
        queue(target);
      }
    }
  });
  for (const each of rows.values()) each.forEach((row) => sight.observe(row));
  document.addEventListener("visibilitychange", follow);
  follow();
}
// The page was drawn a few seconds ago at most, so its reader loses nothing while it is still being painted.
whenIdle(watchRows);

const carousel = document.querySelector<HTMLElement>("[data-slides]");
if (carousel) {
  const slides = [...carousel.querySelectorAll<HTMLElement>("[data-slide]")];
  const dots = [...carousel.querySelectorAll<HTMLElement>("[data-slide-to]")];
  const pause = carousel.querySelector<HTMLElement>("[data-slide-pause]");
  let current = 0;
  let paused = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let attended = false;
  const show = (index: number) => {
    current = (index + slides.length) % slides.length;
    slides.forEach((slide, at) => {
      slide.inert = at !== current;
    });
    dots.forEach((dot, at) => (at === current ? dot.setAttribute("aria-current", "true") : dot.removeAttribute("aria-current")));
  };
  const setPaused = (to: boolean) => {
    paused = to;
    pause?.setAttribute("aria-pressed", String(to));
    pause?.setAttribute("aria-label", to ? "Play the slides" : "Pause the slides");
  };
  setPaused(paused);
  show(0);
  carousel.dataset.runs = "";
  carousel.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!button) return;
    if (button === pause) return setPaused(!paused);
    setPaused(true);
    show(button.dataset.slideTo === undefined ? current + Number(button.dataset.slideStep) : Number(button.dataset.slideTo));
  });
  for (const type of ["pointerenter", "focusin"]) carousel.addEventListener(type, () => (attended = true));
  for (const type of ["pointerleave", "focusout"]) carousel.addEventListener(type, () => (attended = false));
  setInterval(() => {
    if (!paused && !attended && !document.hidden) show(current + 1);
  }, SLIDE_MS);
}
