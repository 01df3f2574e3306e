import type { ComponentProps } from "react";
import AdminAppDashboard from "../../islands/admin/AdminAppDashboard";
import AdminAppMoney from "../../islands/admin/AdminAppMoney";
import AdminAppSettings from "../../islands/admin/AdminAppSettings";
import AdminAppSupport from "../../islands/admin/AdminAppSupport";
import AdminAppTrades from "../../islands/admin/AdminAppTrades";
import AdminAppUsers from "../../islands/admin/AdminAppUsers";
import AdminChat from "../../islands/support/AdminChat";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { appPath } from "./app_tabs";

export const DashboardPage = (props: ComponentProps<typeof AdminAppDashboard>) => <AdminAppDashboard {...props} />;
export const MoneyPage = (props: ComponentProps<typeof AdminAppMoney>) => <AdminAppMoney {...props} />;

const STATUSES = ["all", "active", "suspended", "banned"] as const;

export function UsersPage(props: ComponentProps<typeof AdminAppUsers> & { waiting: number }) {
  const { waiting, ...list } = props;
  const { q, status } = list.query;
  return (
    <>
      {waiting > 0 ? (
        <a href="/admin-registrations" className="flex min-h-12 items-center justify-between rounded-card bg-warn-soft px-4 text-ink no-underline">
          Pending registrations
          <strong className="tabular-nums text-warn">{waiting}</strong>
        </a>
      ) : null}
      <form method="get" action="/admin-app" role="search" className="flex gap-2">
        <input type="hidden" name="tab" value="users" />
        {status === "all" ? null : <input type="hidden" name="status" value={status} />}
        <input
          type="search"
          name="q"
          defaultValue={q}
          maxLength={200}
          aria-label="Search users"
          placeholder="Name, email or ID"
          className="min-h-11 min-w-0 flex-1 rounded-control border border-control bg-surface px-3 text-base text-ink placeholder:text-soft"
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
      <nav aria-label="Account status" className="flex gap-1 overflow-x-auto">
        {STATUSES.map((each) => (
          <a
            key={each}
            href={`${appPath("users")}${q ? `&q=${encodeURIComponent(q)}` : ""}${each === "all" ? "" : `&status=${each}`}`}
            aria-current={each === status ? "true" : undefined}
            className={classes(
              "inline-flex min-h-11 items-center rounded-control px-3 text-product no-underline",
              each === status ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
            )}
          >
            {each === "all" ? "All" : `${each.charAt(0).toUpperCase()}${each.slice(1)}`}
          </a>
        ))}
      </nav>
      <AdminAppUsers {...list} />
    </>
  );
}

/** Leads to what the app leaves to the computer. */
const OnTheComputer = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="inline-flex min-h-11 items-center gap-1 self-start text-table text-accent underline-offset-4 hover:underline">
    {children}
    <Icon name="chevronRight" className="size-4" />
  </a>
);

export const TradesPage = (props: ComponentProps<typeof AdminAppTrades>) => (
  <>
    <OnTheComputer href="/admin?tab=trades">Second approvals and disputes</OnTheComputer>
    <AdminAppTrades {...props} />
  </>
);

const SUPPORT = [
  { view: "tickets", label: "Tickets", href: appPath("support") },
  { view: "chat", label: "Live Chat", href: `${appPath("support")}&view=chat` },
] as const;

const SupportViews = ({ view }: { view: "tickets" | "chat" }) => (
  <nav aria-label="Support" className="flex gap-1 max-lg:group-has-[[data-thread]]/app:hidden">
    {SUPPORT.map((each) => (
      <a
        key={each.view}
        href={each.href}
        aria-current={each.view === view ? "page" : undefined}
        className={classes(
          "inline-flex min-h-11 items-center rounded-control px-3 text-product no-underline",
          each.view === view ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
        )}
      >
        {each.label}
      </a>
    ))}
  </nav>
);

export const SupportPage = (props: ComponentProps<typeof AdminAppSupport>) => (
  <>
    <SupportViews view="tickets" />
    <AdminAppSupport {...props} />
    <OnTheComputer href="/admin?tab=support">Whole conversations</OnTheComputer>
  </>
);

export const ChatPage = (props: ComponentProps<typeof AdminChat>) => (
  <>
    <SupportViews view="chat" />
    <AdminChat {...props} />
  </>
);
export const SettingsPage = () => <AdminAppSettings />;
