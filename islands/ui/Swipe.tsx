import type { ReactNode } from "react";
import { classes } from "../../views/ui/classes";
import { swiping, type Ways } from "../../views/ui/staff/swiping";

type Props = Ways & { children: ReactNode };

/** A card that a finger can push aside to decide: what it will ask stands behind it, and grows plain once it has gone far enough. */
export function Swipe({ right, left, children }: Props) {
  const heard = swiping({ right, left }, (card, dx, far) => {
    card.style.transform = dx === 0 ? "" : `translateX(${dx}px)`;
    const behind = card.previousElementSibling as HTMLElement;
    Object.assign(behind.dataset, { way: dx > 0 ? "right" : dx < 0 ? "left" : "", far: far ? "yes" : "" });
  });
  return (
    <div className="relative overflow-hidden rounded-card">
      <div
        aria-hidden="true"
        className="group absolute inset-0 flex items-center justify-between px-4 text-table data-[way=left]:bg-loss-soft data-[way=right]:bg-gain-soft data-[far=yes]:font-semibold"
      >
        <Label text={right.label} className="group-[&:not([data-way=right])]:invisible text-gain" />
        <Label text={left.label} className="group-[&:not([data-way=left])]:invisible text-loss" />
      </div>
      <div {...heard} className="relative [touch-action:pan-y] select-none transition-transform duration-100 motion-reduce:transition-none">
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
