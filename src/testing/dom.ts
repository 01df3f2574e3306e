import { Window } from "happy-dom";
import type { ReactElement } from "react";
import { laterParts } from "../../islands/runtime/later";
import { textsUnder } from "./figures";

/** What React and the islands ask the browser's global scope for. */
const NAMES = [
  "document",
  "HTMLElement",
  "HTMLInputElement",
  "HTMLTextAreaElement",
  "HTMLSelectElement",
  "HTMLIFrameElement",
  "Element",
  "Node",
  "FormData",
  "location",
  "localStorage",
  "sessionStorage",
  "MutationObserver",
  "IntersectionObserver",
] as const;

/** Asks nothing and hears nothing until a test says something on `streams`. */
export class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: SilentEventSource[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    SilentEventSource.opened.push(this);
  }
  say(event: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
  close() {
    this.readyState = 2;
  }
}

type Saved = Map<string, unknown>;

/**
 * A page in memory for islands: globals as a browser has them, a root to draw into, hands to type and press with. `close` puts
 * the globals back, because other test files share the process. It throws where a figure was badly written at any step, in a
 * dialog or a toast too.
 */
export async function openDom() {
  const window = new Window({ url: "http://localhost/traders-portal" });
  const globals: Record<string, unknown> = { window, EventSource: SilentEventSource, IS_REACT_ACT_ENVIRONMENT: true };
  for (const name of NAMES) globals[name] = window[name as keyof Window];
  const saved: Saved = new Map(Object.keys(globals).map((name) => [name, Reflect.get(globalThis, name)]));
  Object.assign(globalThis, globals);
  const { act: reactAct } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const ground = window.document.body.appendChild(window.document.createElement("div"));
  // As the frame of every page has it.
  window.document.body.append(Object.assign(window.document.createElement("section"), { id: "toasts", tabIndex: -1 }));
  const root = createRoot(ground as unknown as Element);
  const find = <T = HTMLElement>(selector: string): T => {
    const found = window.document.querySelector(selector);
    if (!found) throw new Error(`nothing matches ${selector}`);
    return found as unknown as T;
  };
  const faults = new Set<string>();
  const act = async (work: () => Promise<void>) => {
    await reactAct(work);
    // What a press shows for the first time comes as code of its own, in its own time.
    await reactAct(laterParts);
    for (const { text, faults: found } of textsUnder(window.document.body as unknown as Element)) for (const fault of found) faults.add(`${fault}: ${text}`);
  };
  const dispatch = (element: EventTarget, event: unknown) => act(async () => void element.dispatchEvent(event as Event));

  return {
    window,
    find,
    act,
    draw: (element: ReactElement) => act(async () => root.render(element)),
    /** The button, or the link that stands for one, whose words or label begin so. */
    button(name: string): HTMLButtonElement {
      const buttons = [...window.document.querySelectorAll("button, a")] as unknown as HTMLButtonElement[];
      const found = buttons.find((each) => (each.getAttribute("aria-label") ?? each.textContent ?? "").startsWith(name));
      if (!found) throw new Error(`no button ${name}`);
      return found;
    },
    press: (element: HTMLElement) => act(async () => element.click()),
    async type(selector: string, value: string) {
      const input = find<HTMLInputElement>(selector);
      const kind = input.tagName === "TEXTAREA" ? window.HTMLTextAreaElement : window.HTMLInputElement;
      Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(input, value);
      await dispatch(input, new window.Event("input", { bubbles: true }));
    },
    /** Chooses an option of a select as a person would. */
    async choose(selector: string, value: string) {
      const select = find<HTMLSelectElement>(selector);
      select.value = value;
      await dispatch(select, new window.Event("input", { bubbles: true }));
      await dispatch(select, new window.Event("change", { bubbles: true }));
    },
    key: (key: string) => dispatch(window.document.body as unknown as EventTarget, new window.KeyboardEvent("keydown", { key, bubbles: true })),
    toast: () => (window.document.getElementById("toasts")?.textContent ?? "").replace("×", ""),
    async close() {
      await act(async () => root.unmount());
      const { endStreams } = await import("../../islands/wire/stream");
      endStreams();
      const { forgetKept } = await import("../../islands/wire/kept");
      forgetKept();
      for (const [name, value] of saved) {
        if (value === undefined) Reflect.deleteProperty(globalThis, name);
        else Reflect.set(globalThis, name, value);
      }
      await window.happyDOM.close();
      if (faults.size > 0) throw new Error([...faults].join("\n"));
    },
  };
}
export type TestDom = Awaited<ReturnType<typeof openDom>>;
