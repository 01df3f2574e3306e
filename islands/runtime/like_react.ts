import { options, type VNode } from "preact";

/** What a field was last drawn with. */
type Drawn = { value?: unknown; checked?: unknown };
const fields = new WeakMap<EventTarget, Drawn>();

/** What our islands rely on that React does and Preact, which draws them in the browser, does otherwise. */
export function behaveLikeReact() {
  const { diffed, event } = options;
  // Effects run right after the drawing, not a frame later: what a press or a key set off before the next one is heard, the others in a task of
  // their own.
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  options.requestAnimationFrame = (flush) => {
    if (window.event instanceof UIEvent || /^(change|submit)$/.test(window.event?.type ?? "")) return queueMicrotask(flush);
    waiting.push(flush);
    port2.postMessage(null);
  };
  // A field shows what its component says: where that does not take what was typed or chosen, or only once the server has, it goes back.
  options.diffed = (vnode: VNode & { __e?: EventTarget | null }) => {
    diffed?.(vnode);
    const { props, __e: element } = vnode;
    if (element && typeof vnode.type === "string" && ("value" in props || "checked" in props)) fields.set(element, props);
  };
  options.event = (given) => {
    const field = given.currentTarget as HTMLInputElement;
    // What the handler asks for is drawn in a task of its own after it, so this looks one later.
    if (/^(input|change)$/.test(given.type) && fields.has(field)) queueMicrotask(() => queueMicrotask(() => show(field)));
    return event?.(given);
  };
}

function show(field: HTMLInputElement) {
  const { value, checked } = fields.get(field) ?? {};
  if (checked != null) {
    if (field.checked !== checked) field.checked = checked as boolean;
  } else if (value != null && field.type !== "radio" && field.type !== "checkbox" && field.value !== String(value)) field.value = String(value);
}
