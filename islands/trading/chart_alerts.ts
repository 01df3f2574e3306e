import { effect } from "@preact/signals-react";
import { type IPriceLine, type ISeriesApi, LineStyle } from "lightweight-charts";
import { digitsOf } from "../../src/trading/rules_prices";
import { alerts, followAlerts } from "../alerts/store";
import { askAlert } from "../runtime/alert_asked";

type Host = {
  ground: HTMLElement;
  series: ISeriesApi<"Candlestick">;
  colour: (token: string) => string;
  /** The instrument on the chart; null while it is loading. */
  symbol: () => string | null;
};

/** A finger that rests so long, in ms, and moves no further than so many pixels, asks for the menu. */
const PRESS_MS = 550;
const STILL_PX = 10;

/** The person's waiting alerts as lines on the chart, and the menu of a price: a right click, or a long press. */
export class ChartAlerts {
  private lines: IPriceLine[] = [];
  private readonly stops: (() => void)[];
  private menu: HTMLElement | null = null;
  private press: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;

  constructor(private readonly host: Host) {
    const { ground } = host;
    const on = <K extends keyof HTMLElementEventMap>(name: K, heard: (event: HTMLElementEventMap[K]) => void) => {
      ground.addEventListener(name, heard, { passive: name !== "contextmenu" });
      return () => ground.removeEventListener(name, heard);
    };
    this.stops = [
      followAlerts(),
      effect(() => this.draw()),
      on("contextmenu", (event) => {
        event.preventDefault();
        this.release();
        this.offer(event.clientX, event.clientY);
      }),
      on("pointerdown", (event) => event.pointerType === "touch" && event.isPrimary && this.hold(event)),
      on("pointermove", (event) => this.press && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > STILL_PX && this.release()),
      on("pointerup", () => this.release()),
      on("pointercancel", () => this.release()),
    ];
  }

  /** Draws the lines of the instrument that is shown. */
  draw() {
    const { series, symbol, colour } = this.host;
    for (const line of this.lines) series.removePriceLine(line);
    const load = { color: colour("warn"), lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: true, title: "Alert" } as const;
    this.lines = (alerts.value ?? [])
      .filter((each) => each.status === "active" && each.symbol === symbol())
      .map(({ price }) => series.createPriceLine({ ...load, price: Number(price) }));
  }

  close() {
    this.release();
    this.shut();
    for (const stop of this.stops) stop();
  }

  private hold({ clientX: x, clientY: y }: PointerEvent) {
    this.release();
    this.press = { x, y, timer: setTimeout(() => this.offer(x, y), PRESS_MS) };
  }
  private release() {
    clearTimeout(this.press?.timer);
    this.press = null;
  }

  /** Offers what can be done at the price under this point of the screen. */
  private offer(x: number, y: number) {
    const { ground, series, symbol } = this.host;
    const box = ground.getBoundingClientRect();
    const at = series.coordinateToPrice(y - box.top);
    const of = symbol();
    if (at === null || of === null || at <= 0) return;
    const price = at.toFixed(digitsOf(of));
    this.shut();
    const menu = document.createElement("div");
    menu.setAttribute("role", "menu");
    menu.setAttribute("aria-label", `${of} at ${price}`);
    menu.className = "absolute z-[5] flex flex-col rounded-control border border-line bg-surface py-1 shadow-raised";
    menu.append(
      item(`Set an alert at ${price}`, () => {
        this.shut();
        askAlert(of, price);
      }),
    );
    menu.addEventListener("keydown", (event) => event.key === "Escape" && this.shut());
    menu.addEventListener("focusout", ({ relatedTarget }) => menu.contains(relatedTarget as Node | null) || this.shut());
    ground.append(menu);
    // Within the chart, whichever edge the press was near.
    menu.style.left = `${Math.max(0, Math.min(x - box.left, box.width - menu.offsetWidth))}px`;
    menu.style.top = `${Math.max(0, Math.min(y - box.top, box.height - menu.offsetHeight))}px`;
    this.menu = menu;
    menu.querySelector("button")?.focus();
  }

  private shut() {
    const { menu } = this;
    this.menu = null;
    menu?.remove();
  }
}

function item(words: string, chosen: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "menuitem");
  button.className = "min-h-11 whitespace-nowrap px-4 text-left text-product hover:bg-sunken focus-visible:bg-sunken md:min-h-9";
  button.textContent = words;
  button.addEventListener("click", chosen);
  return button;
}
