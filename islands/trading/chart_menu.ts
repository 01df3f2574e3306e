import { priceUnits } from "../../src/lib/money";
import type { Prices } from "../../src/trading/rules";
import { digitsOf, pricesFor, type Side } from "../../src/trading/rules_prices";
import type { OrderType } from "../../src/trading/schema";
import { askAlert } from "../runtime/alert_asked";
import { accounts, draftOrder, quoteOf } from "../runtime/trading_store";
import type { Host } from "./chart_host";

/** A finger that rests so long, in ms, and moves no further than so many pixels, asks for the menu. */
const PRESS_MS = 550;
const STILL_PX = 10;

type Offer = { words: string; side: Side; orderType: OrderType };

/** The orders that could wait at this price, on these prices of the account: what would fill at once is none of them. In units of 10⁻⁸. */
export function offersAt(price: number, { bid, ask }: Prices): Offer[] {
  const offer = (side: Side, orderType: OrderType): Offer => ({ words: `${side === "buy" ? "Buy" : "Sell"} ${orderType}`, side, orderType });
  return [
    ...(price < ask ? [offer("buy", "limit")] : []),
    ...(price > ask ? [offer("buy", "stop")] : []),
    ...(price > bid ? [offer("sell", "limit")] : []),
    ...(price < bid ? [offer("sell", "stop")] : []),
  ];
}

/**
 * What can be begun at a price of the chart, by a right click, a long press, or the key of menus at the crosshair, else at the newest price:
 * an order, which the order panel then holds unsent, or an alert.
 */
export class ChartMenu {
  private menu: HTMLElement | null = null;
  private press: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
  private readonly stops: (() => void)[];

  constructor(private readonly host: Host) {
    const { ground } = host;
    const on = <K extends keyof HTMLElementEventMap>(name: K, heard: (event: HTMLElementEventMap[K]) => void) => {
      // A swipe scrolls the page, whatever it begins on.
      ground.addEventListener(name, heard, { passive: name.startsWith("pointer") });
      return () => ground.removeEventListener(name, heard);
    };
    this.stops = [
      on("contextmenu", (event) => {
        event.preventDefault();
        this.release();
        // Some browsers say so for the key, too, after it was heard.
        if (this.menu?.contains(event.target as Node)) return;
        const box = ground.getBoundingClientRect();
        this.offer(event.clientX - box.left, event.clientY - box.top);
      }),
      on("keydown", (event) => this.byKey(event)),
      on("pointerdown", (event) => event.pointerType === "touch" && event.isPrimary && this.hold(event)),
      on("pointermove", (event) => this.press && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > STILL_PX && this.release()),
      on("pointerup", () => this.release()),
      on("pointercancel", () => this.release()),
    ];
  }

  close() {
    this.release();
    this.shut();
    for (const stop of this.stops) stop();
  }

  private byKey(event: KeyboardEvent) {
    if (event.target !== this.host.ground || !(event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))) return;
    event.preventDefault();
    const { ground, series, last } = this.host;
    const price = last();
    const cross = this.host.cross();
    const y = cross?.y ?? (price === null ? null : series.priceToCoordinate(price));
    if (y !== null) this.offer(cross?.x ?? ground.clientWidth / 2, y);
  }

  private hold({ clientX: x, clientY: y, target }: PointerEvent) {
    this.release();
    if (this.menu?.contains(target as Node)) return;
    const box = this.host.ground.getBoundingClientRect();
    this.press = { x, y, timer: setTimeout(() => this.offer(x - box.left, y - box.top), PRESS_MS) };
  }
  private release() {
    clearTimeout(this.press?.timer);
    this.press = null;
  }

  /** Offers what can be done at the price of this point of the chart. */
  private offer(x: number, y: number) {
    const { ground, series, symbol } = this.host;
    const at = series.coordinateToPrice(y);
    const of = symbol();
    if (at === null || of === null || at <= 0) return;
    const price = at.toFixed(digitsOf(of));
    this.shut();
    const menu = document.createElement("div");
    menu.setAttribute("role", "menu");
    menu.setAttribute("aria-label", `${of} at ${price}`);
    menu.className = "absolute z-[5] flex flex-col rounded-control border border-line bg-surface py-1 shadow-raised";
    const item = (words: string, chosen: () => void) =>
      itemOf(words, () => {
        this.shut();
        chosen();
      });
    for (const { words, side, orderType } of this.offersFor(of, price))
      menu.append(item(`${words} at ${price}`, () => draftOrder({ orderType, side, triggerPrice: price })));
    menu.append(item(`Set an alert at ${price}`, () => askAlert(of, price)));
    menu.addEventListener("keydown", (event) => this.within(menu, event));
    menu.addEventListener("focusout", ({ relatedTarget }) => menu.contains(relatedTarget as Node | null) || this.shut());
    ground.append(menu);
    // Within the chart, whichever edge the press was near.
    menu.style.left = `${Math.max(0, Math.min(x, ground.clientWidth - menu.offsetWidth))}px`;
    menu.style.top = `${Math.max(0, Math.min(y, ground.clientHeight - menu.offsetHeight))}px`;
    this.menu = menu;
    menu.querySelector("button")?.focus();
  }

  /** None where there is no account, no order panel on the page, or no price. */
  private offersFor(symbol: string, price: string): Offer[] {
    const account = accounts.peek()?.find(({ id }) => id === this.host.accountId);
    const quote = quoteOf(symbol).peek();
    if (!account || !quote || !document.querySelector(PANELS)) return [];
    return offersAt(priceUnits(price), pricesFor(account, quote));
  }

  private within(menu: HTMLElement, event: KeyboardEvent) {
    const items = [...menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === "Escape") {
      this.shut();
      this.host.ground.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private shut() {
    const { menu } = this;
    this.menu = null;
    menu?.remove();
  }
}

/** The order panels, one of which takes what is begun here. */
const PANELS = "[data-island=OrderPanel], [data-island=PlatformOrderPanel]";

export function itemOf(words: string, chosen: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  button.setAttribute("role", "menuitem");
  button.className = "min-h-11 whitespace-nowrap px-4 text-left text-product hover:bg-sunken focus-visible:bg-sunken md:min-h-9";
  button.textContent = words;
  button.addEventListener("click", chosen);
  return button;
}
