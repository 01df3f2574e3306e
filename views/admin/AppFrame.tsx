import type { ReactNode } from "react";
import AdminAppMenu from "../../islands/admin/AdminAppMenu";
import AdminAppStrip from "../../islands/admin/AdminAppStrip";
import type { Waiting } from "../../src/admin/schema";
import type { Realtime } from "../../src/admin/schema_app";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { appPath, type AppTab, appTabLabel, bottomTabs } from "./app_tabs";

/** The app's frame: figures at the head, content, and what the thumb reaches at the foot. At a desk the menu stands at the side. */
export const AppFrame = ({ tab, realtime, waiting, children }: { tab: AppTab; realtime: Realtime; waiting: Waiting; children: ReactNode }) => (
  <div className="group/app mx-auto w-full max-w-6xl [--above:8.25rem]">
    <div className="flex flex-col gap-4 px-4 pb-6 pt-3 md:px-6">
      <div className="flex items-center justify-between gap-4 max-lg:group-has-[[data-thread]]/app:sr-only">
        <h1 className="text-heading font-semibold">Admin App</h1>
        <a href="/admin" className="inline-flex min-h-11 items-center px-2 text-table text-accent underline-offset-4 hover:underline">
          Control Panel
        </a>
      </div>
      <div className="max-lg:group-has-[[data-thread]]/app:hidden">
        <AdminAppStrip first={realtime} />
      </div>
      <div className="lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-8">
        <nav aria-label="Admin app" className="hidden lg:block">
          <div className="sticky top-20">
            <AdminAppMenu tab={tab} waiting={waiting} />
          </div>
        </nav>
        <section aria-labelledby="app-title" className="flex min-w-0 flex-col gap-3">
          <h2 id="app-title" className="text-base font-semibold max-lg:group-has-[[data-thread]]/app:sr-only">
            {appTabLabel(tab)}
          </h2>
          {children}
        </section>
      </div>
    </div>
    <BottomBar tab={tab} waiting={waiting} />
  </div>
);

const ENTRY = "flex min-h-14 flex-col items-center justify-center gap-0.5 text-note no-underline";

/** Four places, and the menu for the others, which opens upwards without a script. */
function BottomBar({ tab, waiting }: { tab: AppTab; waiting: Waiting }) {
  const own = bottomTabs();
  const below = own.some(({ id }) => id === tab);
  return (
    <nav
      aria-label="Quick"
      className="foot-bar fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {own.map(({ id, label, icon }) => (
        <a
          key={id}
          href={appPath(id)}
          aria-current={id === tab ? "page" : undefined}
          className={classes(ENTRY, id === tab ? "font-semibold text-accent" : "text-soft hover:text-ink")}
        >
          <Icon name={icon} className="size-5" />
          {label}
        </a>
      ))}
      <details data-menu="" className="group relative">
        <summary className={classes(ENTRY, below ? "text-soft" : "font-semibold text-accent")}>
          <Icon name="menu" className="size-5" />
          {below ? "Menu" : appTabLabel(tab)}
        </summary>
        <div className="absolute bottom-full right-2 mb-2 w-56 rounded-card border border-line bg-surface p-1 shadow-raised">
          <AdminAppMenu tab={tab} waiting={waiting} />
        </div>
      </details>
    </nav>
  );
}
