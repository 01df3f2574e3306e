import { type PointerEvent, type ReactNode, useRef } from "react";
import { classes } from "../../views/ui/classes";

/** A finger that went so far, in pixels, shows where it is going. */
const SHOWS_PX = 12;
/** It is a swipe where it goes this many times as far aside as up or down. */
const ASIDE = 2;
/** How far it must have gone when it is lifted: so many pixels, and this share of the width. */
const LEAST_PX = 96;
const LEAST_SHARE = 0.35;

type Way = { label: string; onSwipe: () => void };
type Props = { right: Way; left: Way; children: ReactNode };
type Finger = { id: number; x: number; y: number; swipes: boolean };

/**
 * A card that a finger can push aside to decide: what it will ask stands behind it, and grows plain once it has gone far enough. Whoever lifts
 * the finger before that, or scrolls, has decided nothing: the page keeps what goes up and down to itself. The mouse has the buttons.
 */
export function Swipe({ right, left, children }: Props) {
  const card = useRef<HTMLDivElement>(null);
  const behind = useRef<HTMLDivElement>(null);
  const finger = useRef<Finger | null>(null);

  const farOf = (dx: number) => Math.abs(dx) >= Math.max(LEAST_PX, (card.current?.clientWidth ?? 0) * LEAST_SHARE);
  const place = (dx: number) => {
    if (card.current) card.current.style.transform = dx === 0 ? "" : `translateX(${dx}px)`;
    if (behind.current) Object.assign(behind.current.dataset, { way: dx > 0 ? "right" : dx < 0 ? "left" : "", far: farOf(dx) ? "yes" : "" });
  };
  const end = () => {
    finger.current = null;
    place(0);
  };
  const down = ({ pointerType, pointerId: id, clientX: x, clientY: y, isPrimary }: PointerEvent) => {
    // A second finger is no swipe.
    if (finger.current || !isPrimary) return end();
    if (pointerType !== "mouse") finger.current = { id, x, y, swipes: false };
  };
  const move = ({ pointerId, clientX, clientY, currentTarget }: PointerEvent) => {
    const at = finger.current;
    if (!at || at.id !== pointerId) return;
    const [dx, dy] = [clientX - at.x, Math.abs(clientY - at.y)];
    if (!at.swipes) {
      if (Math.max(Math.abs(dx), dy) < SHOWS_PX) return;
      if (Math.abs(dx) < dy * ASIDE) return end();
      at.swipes = true;
      currentTarget.setPointerCapture(pointerId);
    }
    place(dx);
  };
  const up = ({ pointerId, clientX }: PointerEvent) => {
    const at = finger.current;
    end();
    if (!at?.swipes || at.id !== pointerId || !farOf(clientX - at.x)) return;
    (clientX > at.x ? right : left).onSwipe();
  };
  return (
    <div className="relative overflow-hidden rounded-card">
      <div
        ref={behind}
        aria-hidden="true"
        className="group absolute inset-0 flex items-center justify-between px-4 text-table data-[way=left]:bg-loss-soft data-[way=right]:bg-gain-soft data-[far=yes]:font-semibold"
      >
        <Label text={right.label} className="group-[&:not([data-way=right])]:invisible text-gain" />
        <Label text={left.label} className="group-[&:not([data-way=left])]:invisible text-loss" />
      </div>
      <div
        ref={card}
        data-swipe=""
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={end}
        className="relative [touch-action:pan-y] select-none transition-transform duration-100 motion-reduce:transition-none"
      >
        {children}
      </div>
    </div>
  );
}

const Label = ({ text, className }: { text: string; className: string }) => (
  <span className={classes("inline-flex items-center", className)}>
    {text}
    <span className="ml-1 hidden group-data-[far=yes]:inline">: let go</span>
  </span>
);
