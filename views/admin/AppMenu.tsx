import type { Waiting } from "../../src/admin/schema";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { appPath, appTabs, type AppTab } from "./app_tabs";

/** What waits behind an entry; null where nothing can. */
const countOf = (tab: AppTab, { deposits, withdrawals, registrations, corrections, support }: Waiting): number | null =>
  ({ deposits, withdrawals, users: registrations, trades: corrections, support, dashboard: null, visitors: null, settings: null })[tab];

export const AppMenu = ({ tab, waiting }: { tab: AppTab; waiting: Waiting }) => (
  <ul className="flex flex-col gap-1">
    {appTabs().map(({ id, label, icon }) => {
      const count = countOf(id, waiting);
      return (
        <li key={id}>
          <a
            href={appPath(id)}
            aria-current={id === tab ? "page" : undefined}
            className={classes(
              "flex min-h-11 items-center gap-3 rounded-control px-3 text-product no-underline",
              id === tab ? "bg-accent-soft font-semibold text-accent" : "text-ink hover:bg-sunken",
            )}
          >
            <Icon name={icon} className="size-5" />
            {label}
            {count ? <span className="ml-auto rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn">{count}</span> : null}
          </a>
        </li>
      );
    })}
  </ul>
);
