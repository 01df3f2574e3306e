import type { ReactNode } from "react";
import { classes } from "./classes";
import { Icon } from "./Icon";

/** `row`: on a phone as wide as the row that it stands in, which is positioned; else at its right. */
const ALIGN = { left: "left-0", right: "right-0", row: "right-0 max-sm:inset-x-0" };

/** A menu that needs no script: `<details>`. A click elsewhere or Escape closes it where scripts run. */
export function Menu({
  label,
  children,
  align = "left",
  className,
}: {
  label: ReactNode;
  children: ReactNode;
  align?: keyof typeof ALIGN;
  className?: string;
}) {
  return (
    <details data-menu="" className={classes("group", align === "row" ? "sm:relative" : "relative", className)}>
      <summary className="menu-head">
        {label}
        <Icon name="chevronDown" className="size-4 transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className={classes("absolute top-full z-20 mt-1 min-w-52 rounded-card border border-line bg-surface p-1 shadow-raised", ALIGN[align])}>
        {children}
      </div>
    </details>
  );
}

export function MenuLink({ href, children, current }: { href: string; children: ReactNode; current?: boolean }) {
  return (
    <a href={href} aria-current={current ? "page" : undefined} className={classes("menu-item", current && "font-semibold")}>
      {children}
    </a>
  );
}
