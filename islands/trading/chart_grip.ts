import { classes } from "../../views/ui/classes";
import type { Point } from "../../src/trading/schema_layouts";
import type { Spot } from "./chart_shapes";

type Of = {
  /** Which drawing. */ of: number;
  tool: string;
  /** Which of its points; null: all of it. */ point: number | null;
  name: string;
  isChosen: boolean;
};
export type Heard = {
  chosen: () => void;
  /** Where its points are as it is taken hold of. */
  begun: () => Point[];
  dragged: (from: readonly Point[], by: Spot) => void;
  /** By so many candles and steps of price. */
  stepped: (candles: number, steps: number) => void;
  ended: () => void;
  removed: () => void;
  left: () => void;
};

/** What moves less than so many pixels is a press. */
const STILL_PX = 3;

/** Follows the pointer that took hold of something until it lets go; it is chosen then. */
export function drag({ clientX: x, clientY: y, pointerId }: PointerEvent, heard: Pick<Heard, "begun" | "dragged" | "ended" | "chosen">) {
  const from = heard.begun();
  let moved = false;
  const go = (to: PointerEvent) => {
    if (to.pointerId !== pointerId || (!moved && Math.hypot(to.clientX - x, to.clientY - y) < STILL_PX)) return;
    moved = true;
    heard.dragged(from, { x: to.clientX - x, y: to.clientY - y });
  };
  const end = (ended: PointerEvent) => {
    if (ended.pointerId !== pointerId) return;
    removeEventListener("pointermove", go);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (ended.type === "pointercancel") heard.dragged(from, { x: 0, y: 0 });
    else if (moved) heard.ended();
    heard.chosen();
  };
  // Taking it up may make its grips anew, so the page hears where it goes.
  addEventListener("pointermove", go);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** Under a thumb it reaches further. */
const GRIP =
  "pointer-events-auto absolute left-0 top-0 inline-flex size-6 cursor-move touch-none items-center justify-center rounded-full before:absolute before:-inset-2.5 before:content-empty md:before:inset-0";

/** What takes hold of a drawing, or of one of its points: dragged by pointer, moved by the arrow keys. */
export class Grip {
  private readonly element = document.createElement("button");
  readonly of: number;
  readonly point: number | null;

  constructor(
    overlay: HTMLElement,
    private readonly what: Of,
    private readonly heard: Heard,
  ) {
    const { of, tool, point, name, isChosen } = what;
    this.of = of;
    this.point = point;
    this.element.type = "button";
    this.element.className = classes(GRIP, isChosen && "z-[2]");
    const dot = this.element.appendChild(document.createElement("span"));
    dot.className = classes("size-3 border-2 bg-surface", isChosen ? "border-warn" : "border-accent", point === null && "rounded-full");
    this.element.setAttribute("aria-label", name);
    this.element.dataset.grip = point === null ? tool : `${tool} ${point}`;
    this.element.setAttribute("aria-keyshortcuts", "ArrowUp ArrowDown ArrowLeft ArrowRight Delete Escape");
    this.element.addEventListener("pointerdown", this.grab);
    this.element.addEventListener("click", () => this.heard.chosen());
    this.element.addEventListener("keydown", this.key);
    overlay.append(this.element);
  }

  get isTurnedTo(): boolean {
    return document.activeElement === this.element;
  }
  focus() {
    this.element.focus({ preventScroll: true });
  }
  remove() {
    this.element.remove();
  }

  /** Null: it is off the screen. */
  put(spot: Spot | null) {
    this.element.hidden = spot === null;
    if (spot) this.element.style.translate = `calc(${spot.x}px - 50%) calc(${spot.y}px - 50%)`;
  }

  /** Its name, and where it stands. */
  say(words: string) {
    const label = words ? `${this.what.name}, ${words}` : this.what.name;
    if (this.element.getAttribute("aria-label") !== label) this.element.setAttribute("aria-label", label);
  }

  private readonly grab = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus();
    drag(event, this.heard);
  };

  private readonly key = (event: KeyboardEvent) => {
    const far = event.shiftKey ? 10 : 1;
    const [candles = 0, steps = 0] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    if (candles || steps) {
      this.heard.stepped(candles * far, steps * far);
      this.heard.ended();
    } else if (event.key === "Delete" || event.key === "Backspace") this.heard.removed();
    else if (event.key === "Escape") this.heard.left();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
