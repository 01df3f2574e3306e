import { drag, type Heard } from "./chart_grip";
import type { Spot } from "./chart_shapes";

/** How far from a line a pointer still has hold of it, in pixels: a mouse, and a finger. */
export const REACH = { mouse: 5, touch: 14 };

type Bodies = {
  /** What of the drawings is within reach of this spot. */
  at: (spot: Spot, reach: number) => number | null;
  isChosen: (of: number) => boolean;
  heardOf: (of: number) => Heard;
};

/**
 * Lets a drawing be taken by its lines: pressed it is turned to, dragged it moves whole, and the chart under it stays where it is. A finger first
 * turns to it, since one that goes over the chart scrolls the page. Answers the way to end it.
 */
export function takeBodies(ground: HTMLElement, { at, isChosen, heardOf }: Bodies): () => void {
  let held = false;
  let tapped: { of: number; event: PointerEvent } | null = null;
  const released = (event: PointerEvent) => {
    if (
      tapped &&
      event.pointerId === tapped.event.pointerId &&
      Math.hypot(event.clientX - tapped.event.clientX, event.clientY - tapped.event.clientY) <= REACH.touch
    )
      heardOf(tapped.of).chosen();
    tapped = null;
  };
  const pressed = (event: PointerEvent) => {
    held = false;
    tapped = null;
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof HTMLCanvasElement)) return;
    const box = ground.getBoundingClientRect();
    const finger = event.pointerType === "touch";
    const of = at({ x: event.clientX - box.left, y: event.clientY - box.top }, finger ? REACH.touch : REACH.mouse);
    if (of === null) return;
    const heard = heardOf(of);
    if (finger && !isChosen(of)) return void (tapped = { of, event });
    held = true;
    // So the chart hears nothing of a mouse that is pressed.
    event.preventDefault();
    drag(event, heard);
  };
  const touched = (event: TouchEvent) => {
    if (!held) return;
    // Nor of a finger; the page does not scroll, unless it does so already.
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };
  ground.addEventListener("pointerdown", pressed, { capture: true });
  ground.addEventListener("pointerup", released);
  ground.addEventListener("touchstart", touched, { capture: true, passive: false });
  ground.addEventListener("touchmove", touched, { capture: true, passive: false });
  return () => {
    ground.removeEventListener("pointerdown", pressed, { capture: true });
    ground.removeEventListener("pointerup", released);
    ground.removeEventListener("touchstart", touched, { capture: true });
    ground.removeEventListener("touchmove", touched, { capture: true });
  };
}
