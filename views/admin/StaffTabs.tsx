import { classes } from "../ui/classes";

export type StaffTab = { id: string; label: string; href: string; /** How much waits behind it. */ count?: number };
type Props = { label: string; tabs: readonly StaffTab[]; current: string | null; /** Begins their ids where a page has others. */ prefix?: string };

/** Tabs in a staff's row: links, each with an address of its own. Colour stands only where something waits. */
export const StaffTabs = ({ label, tabs, current, prefix = "" }: Props) => (
  <nav aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 md:mx-0 md:px-0">
    <ul className="flex gap-1" role="tablist" aria-label={label}>
      {tabs.map(({ id, label: name, href, count }) => (
        <li key={id} role="presentation">
          <a
            href={href}
            role="tab"
            id={`tab-${prefix}${id}`}
            aria-selected={id === current}
            aria-controls={id === current ? `panel-${prefix}${id}` : undefined}
            className={classes(
              "focus-visible:-outline-offset-2 -mb-px flex min-h-11 items-center gap-2 whitespace-nowrap border-b-2 px-2.5 text-product no-underline transition-colors duration-150 lg:min-h-10",
              id === current ? "border-accent font-semibold text-ink" : "border-transparent text-soft hover:text-ink",
            )}
          >
            {name}
            {count === undefined ? null : (
              <span className={classes("rounded-full px-2 text-note tabular-nums", count > 0 ? "bg-warn-soft text-warn" : "bg-sunken text-soft")}>
                {count.toLocaleString("en-US")}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
