import type { PointerEvent } from "react";

/** A finger that went so far, in pixels, shows where it is going. */
const SHOWS_PX = 12;
/** It is a swipe where it goes this many times as far aside as up or down. */
const ASIDE = 2;
/** How far it must have gone when it is lifted: so many pixels, and this share of the width. */
const LEAST_PX = 96;
const LEAST_SHARE = 0.35;

export type Way = { label: string; onSwipe: () => void };
export type Ways = { right: Way; left: Way };
/** Shows the card pushed aside so far; `far`: lifted now it decides. Zero: it is back. */
type Place = (card: HTMLElement, dx: number, far: boolean) => void;

/** One finger swipes at a time. */
let finger: { id: number; x: number; y: number; swipes: boolean } | null = null;

const isFar = (card: HTMLElement, dx: number) => Math.abs(dx) >= Math.max(LEAST_PX, card.clientWidth * LEAST_SHARE);

/**
 * What a card hears that a finger can push aside to decide. Whoever lifts the finger too soon, or scrolls, has decided nothing: the page keeps
 * what goes up and down to itself. The mouse has the buttons.
 */
export function swiping({ right, left }: Ways, place: Place) {
  const end = (card: HTMLElement) => {
    finger = null;
    place(card, 0, false);
  };
  return {
    "data-swipe": "",
    onPointerDown({ pointerType, pointerId: id, clientX: x, clientY: y, isPrimary, currentTarget }: PointerEvent<HTMLElement>) {
      // A second finger is no swipe.
      if (finger || !isPrimary) return end(currentTarget);
      if (pointerType !== "mouse") finger = { id, x, y, swipes: false };
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
      if (!finger || finger.id !== pointerId) return;
      const [dx, dy] = [clientX - finger.x, Math.abs(clientY - finger.y)];
      if (!finger.swipes) {
        if (Math.max(Math.abs(dx), dy) < SHOWS_PX) return;
        if (Math.abs(dx) < dy * ASIDE) return end(currentTarget);
        finger.swipes = true;
        currentTarget.setPointerCapture(pointerId);
      }
      place(currentTarget, dx, isFar(currentTarget, dx));
    },
    onPointerUp({ pointerId, clientX, currentTarget }: PointerEvent<HTMLElement>) {
      const at = finger;
      end(currentTarget);
      if (!at?.swipes || at.id !== pointerId || !isFar(currentTarget, clientX - at.x)) return;
      (clientX > at.x ? right : left).onSwipe();
    },
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => end(currentTarget),
  };
}

/** A row of a table, which has no room behind it: its cells go aside, and what it will ask stands where they were (`low-cards` in the theme). */
export const swipingRow = (ways: Ways) =>
  swiping(ways, (row, dx, far) => {
    row.style.setProperty("--swipe", `${dx}px`);
    const way = dx > 0 ? "right" : "left";
    if (dx === 0) delete row.dataset.way;
    else Object.assign(row.dataset, { way, asks: far ? `${ways[way].label}: let go` : ways[way].label });
  });
