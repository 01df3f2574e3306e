import type { ReactNode } from "react";
import { classes } from "./classes";
import { Icon, type IconName } from "./Icon";
import { withWays } from "./Ways";

/** Nothing here yet: one sentence and the next step. */
export function EmptyState({ icon = "layers", title, children, action }: { icon?: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty flex flex-col items-center gap-3 px-4 py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-soft">
        <Icon name={icon} className="size-6" />
      </span>
      <p className="text-base font-medium">{title}</p>
      {children ? <p className="max-w-sm text-product text-soft">{children}</p> : null}
      {action}
    </div>
  );
}

/** It could not be had: what happened, and the way to try again. */
export function ErrorState({ title, children, retry }: { title: string; children?: ReactNode; retry: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-loss-soft text-loss">
        <Icon name="warning" className="size-6" />
      </span>
      <p className="text-base font-medium">{title}</p>
      {children ? <p className="max-w-sm text-product text-soft">{children}</p> : null}
      {retry}
    </div>
  );
}

/** Beside what nobody vouches for any more: how old it is. */
export const StaleMark = ({ age }: { age: string }) => (
  <span className="inline-flex items-center gap-1 whitespace-nowrap text-note text-soft">
    <Icon name="clock" className="size-3.5" />
    {age}
  </span>
);

/** Holds the place of what is loading, in its final size (give it by `className`). */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <span aria-hidden="true" className={classes("block animate-pulse rounded-control bg-sunken motion-reduce:animate-none", className)} />;
}

/** A table that is on its way, in its final size; `label` is what a screen reader hears. */
export const SkeletonTable = ({ rows, columns, label }: { rows: number; columns: number; label: string }) => (
  <div role="status" aria-label={label} className="flex flex-col">
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className="flex gap-6 border-b border-line py-3.5 last:border-b-0">
        {Array.from({ length: columns }, (_, column) => (
          <Skeleton key={column} className="h-4 flex-1" />
        ))}
      </div>
    ))}
  </div>
);

const NOTICES = {
  info: { box: "border-line bg-surface", mark: "text-accent", icon: "info" },
  warning: { box: "border-transparent bg-warn-soft", mark: "text-warn", icon: "warning" },
  error: { box: "border-transparent bg-loss-soft", mark: "text-loss", icon: "warning" },
  success: { box: "border-transparent bg-gain-soft", mark: "text-gain", icon: "check" },
} as const;

/** A message that stays on the page. Errors are announced at once. */
export function Notice({
  kind = "info",
  title,
  children,
  className,
}: {
  kind?: keyof typeof NOTICES;
  title?: string;
  children?: ReactNode;
  className?: string;
}) {
  const style = NOTICES[kind];
  return (
    <div
      role={kind === "error" ? "alert" : undefined}
      className={classes("flex gap-3 rounded-card border px-4 py-3 text-product text-ink", style.box, className)}
    >
      <Icon name={style.icon} className={`mt-px size-5 ${style.mark}`} />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {withWays(children)}
      </div>
    </div>
  );
}
