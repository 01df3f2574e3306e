import type { ReactNode } from "react";
import AdminHeader from "../../islands/admin/AdminHeader";
import StaffKeys from "../../islands/admin/StaffKeys";
import AdminBell from "../../islands/notifications/AdminBell";
import type { Waiting } from "../../src/admin/schema";
import { type Chrome, demonstrationText, type OwnHeader } from "../Layout";
import { Icon, type IconName } from "../ui/Icon";
import { Menu, MenuLink } from "../ui/Menu";
import { PageIcon } from "../ui/PageIcon";
import { ThemeToggle } from "../ui/ThemeToggle";
import { Logo } from "../ui/Wordmark";
import type { AdminTab } from "./tabs";

type Panel = { tab: AdminTab | null; waiting: Waiting; nameShared: boolean };

/** The header of the panel's pages: one line, and the tabs, which stay in sight. */
export const panelHeader =
  (panel: Panel): OwnHeader =>
  (chrome) => (
    <header className="sticky -top-12 z-30 bg-paper">
      <Line chrome={chrome} at="panel" />
      <div className="px-4 md:px-6">
        <AdminHeader {...panel} />
      </div>
    </header>
  );

/** The header of the app, which has its own menu. */
export const appHeader: OwnHeader = (chrome) => (
  <header className="sticky top-0 z-30 border-b border-line bg-paper">
    <Line chrome={chrome} at="app" />
  </header>
);

function Line({ chrome, at }: { chrome: Chrome; at: "panel" | "app" }) {
  const { brand, logo, me, demonstration, simulated } = chrome;
  return (
    <div className="flex h-12 items-center gap-x-1 px-4 md:px-6">
      <a href={at === "app" ? "/admin-app" : "/admin"} className="mr-2 inline-flex min-h-11 min-w-0 items-center gap-2 rounded-control text-ink no-underline">
        <Logo src={logo} />
        <span className="font-serif text-[1.3125rem] leading-none tracking-[-0.02em] max-sm:sr-only">{brand}</span>
        <span className="truncate border-l border-line pl-2 text-product font-medium text-soft max-sm:sr-only">
          {at === "app" ? "Admin App" : "Control Panel"}
        </span>
      </a>
      {demonstration ? <Demonstration simulated={simulated} /> : null}
      <div className="ml-auto flex items-center">
        <StaffKeys />
        <ThemeToggle />
        <AdminBell at={at} />
        {me ? <PersonMenu me={me} at={at} /> : null}
      </div>
    </div>
  );
}

/** That this is a demonstration, as a dot: its words are its tooltip, what is read aloud, and what a press shows. */
function Demonstration({ simulated }: { simulated: boolean }) {
  const words = `Demonstration. ${demonstrationText(simulated)}`;
  return (
    <details data-menu="" className="relative">
      <summary data-tip={words} className="inline-flex size-11 items-center justify-center rounded-control">
        <span aria-hidden="true" className="size-2.5 rounded-full bg-warn" />
        <span className="sr-only">{words}</span>
      </summary>
      <p className="absolute left-0 top-full z-20 mt-1 w-64 rounded-card border border-line bg-surface p-3 text-table shadow-raised max-sm:-left-16">{words}</p>
    </details>
  );
}

function PersonMenu({ me, at }: { me: NonNullable<Chrome["me"]>; at: "panel" | "app" }) {
  return (
    <Menu
      align="right"
      label={
        <>
          <Icon name="person" className="size-5" />
          <span className="max-w-40 truncate max-md:sr-only">{me.firstName}</span>
        </>
      }
    >
      <p className="max-w-64 truncate px-3 py-2 text-table text-soft">{me.email}</p>
      {at === "app" ? (
        <Entry href="/admin" icon="sliders">
          Control Panel
        </Entry>
      ) : (
        <Entry href="/admin-app" icon="phone">
          Admin App
        </Entry>
      )}
      <Entry href="/dashboard" icon="chart">
        Traders&rsquo; pages
      </Entry>
      <Entry href="/profile" icon="person">
        Profile
      </Entry>
      <Entry href="/two-factor" icon="shield">
        Two-factor sign-in
      </Entry>
      <MenuLink href="/api/auth/logout">
        <PageIcon name="signOut" className="size-5 text-soft" />
        Sign out
      </MenuLink>
    </Menu>
  );
}

const Entry = ({ href, icon, children }: { href: string; icon: IconName; children: ReactNode }) => (
  <MenuLink href={href}>
    <Icon name={icon} className="size-5 text-soft" />
    {children}
  </MenuLink>
);
