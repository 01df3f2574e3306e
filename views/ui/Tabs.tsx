import { classes } from "./classes";

export type Tab = {
  id: string;
  label: string;
  count?: number;
  /** What is counted waits for somebody. */
  waits?: boolean;
};

/**
 * Tabs that are links (`?tab=id`), so that they work without scripts, can be bookmarked and go back. An island may take over by
 * `onPick`; it should also write the address. `path` may hold a query of its own.
 */
export function Tabs({
  label,
  tabs,
  current,
  path,
  param = "tab",
  onPick,
  within = "",
}: {
  label: string;
  tabs: Tab[];
  current: string;
  path: string;
  /** The name in the address; another one for tabs within a tab. */
  param?: string;
  onPick?: (id: string) => void;
  /** Begins the ids of the tabs where their panels have other tabs too. */
  within?: string;
}) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 md:mx-0 md:px-0">
      <ul className="flex gap-1" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <li key={tab.id} role="presentation">
            <a
              href={`${path}${path.includes("?") ? "&" : "?"}${param}=${tab.id}`}
              role="tab"
              id={`${within}tab-${tab.id}`}
              aria-selected={tab.id === current}
              aria-controls={tab.id === current ? `panel-${tab.id}` : undefined}
              onClick={
                onPick &&
                ((event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  onPick(tab.id);
                })
              }
              className={classes("tab-link", tab.id === current ? "border-accent font-semibold text-ink" : "border-transparent text-soft hover:text-ink")}
            >
              {tab.label}
              {tab.count === undefined ? null : (
                <span className={classes("rounded-full px-2 text-note tabular-nums", tab.waits ? "bg-warn-soft text-warn" : "bg-sunken text-soft")}>
                  {tab.count}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PanelProps = {
  id: string;
  children: React.ReactNode;
  className?: string;
  /** A box of its own that moves: the keyboard must get to it. */ scrolls?: boolean;
};
/** What the chosen tab shows. */
export function TabPanel({ id, children, className, scrolls }: PanelProps) {
  return (
    <div role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} tabIndex={scrolls ? 0 : undefined} className={classes("py-4", className)}>
      {children}
    </div>
  );
}
