import type { Handle } from "./chart_handle";
import { itemOf } from "./chart_menu";

/** The handles that found no place on the chart, behind one button: what is chosen of them comes to the front, at its price. */
export class ChartStack {
  private readonly box = document.createElement("div");
  private readonly button = this.box.appendChild(document.createElement("button"));
  private readonly list = this.box.appendChild(document.createElement("div"));
  private handles: readonly Handle[] = [];

  constructor(overlay: HTMLElement) {
    const { box, button, list } = this;
    box.className = "pointer-events-auto absolute left-2 z-[4]";
    button.type = "button";
    button.className = "min-h-8 rounded-full border border-control bg-surface px-2.5 text-note font-medium";
    button.addEventListener("click", () => this.show(list.hidden === true));
    list.className = "absolute bottom-full left-0 flex max-h-40 flex-col overflow-y-auto rounded-control border border-line bg-surface py-1 shadow-raised";
    list.setAttribute("role", "menu");
    list.setAttribute("aria-label", "Orders, stops and targets without room");
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("focusout", ({ relatedTarget }) => box.contains(relatedTarget as Node | null) || this.show(false));
    this.show(false);
    this.offer([], 0);
    overlay.append(box);
  }

  /** These found none; none of them: there is no button. */
  offer(handles: readonly Handle[], top: number) {
    if (handles.length === 0 && this.handles.length === 0) return void (this.box.hidden = true);
    this.handles = handles;
    this.box.hidden = handles.length === 0;
    this.box.style.top = `${top}px`;
    const words = `+ ${handles.length} more`;
    if (this.button.textContent !== words) this.button.textContent = words;
  }

  private show(isOpen: boolean) {
    this.list.hidden = !isOpen;
    this.list.classList.toggle("hidden", !isOpen);
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return this.list.replaceChildren();
    this.list.replaceChildren(...this.handles.map((handle) => itemOf(handle.title, () => handle.focus())));
    this.list.querySelector("button")?.focus();
  }

  private key(event: KeyboardEvent) {
    const items = [...this.list.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === "Escape") {
      this.show(false);
      this.button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
