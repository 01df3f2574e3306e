import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import { may } from "../../src/lib/may";
import { placeInApp, placeInPanel } from "../../src/notifications/rules";
import { NewsList } from "../../views/notifications/NewsList";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { Button } from "../../views/ui/Button";
import { Icon } from "../../views/ui/Icon";
import { EmptyState, Skeleton } from "../../views/ui/States";
import { chosenKinds } from "./alert_choice";
import { ApiError } from "../wire/api";
import { island } from "../runtime/island";
import { loadNews, news, readAll, readOne, unread, useNews } from "./news";
import { renewPush, staffPush } from "./push_device";

/** The bell: how much is unread, and behind it the notifications themselves. It also says them as they come. */
export function AdminBell({ at }: { at: "panel" | "app" }) {
  useSignals();
  const here = useNews();
  const [more, setMore] = useState(true);
  const [now, setNow] = useState(() => Date.now());
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // The device's push belongs to this session from now on. Where it can't be told now, the next page does.
    if (may("panel.own"))
      renewPush(staffPush(chosenKinds())).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
  }, []);
  // Who marks nothing as read is not told how much is not.
  const count = here && may("panel.own") ? (unread.value ?? 0) : 0;
  const list = here ? news.value : null;
  const opened = () => {
    if (!element.current?.open) return;
    setNow(Date.now());
    if (news.value === null) void loadNews().then(setMore);
  };
  return (
    <details ref={element} data-menu="" onToggle={opened} className="js-only relative">
      <summary
        aria-label={count > 0 ? `Notifications, ${count > 99 ? "99+" : count} unread` : "Notifications"}
        className="relative inline-flex size-11 items-center justify-center rounded-control text-ink hover:bg-sunken"
      >
        <Icon name="bell" />
        {count > 0 ? (
          <span
            aria-hidden="true"
            className="absolute left-5.5 top-0.5 min-w-5 rounded-full bg-loss px-1 text-center text-note font-semibold tabular-nums text-paper"
          >
            {count > 99 ? "99+" : count}
          </span>
        ) : null}
      </summary>
      <section
        aria-label="Notifications"
        className="fixed inset-x-4 z-40 mt-1 flex max-h-[70dvh] flex-col overflow-hidden rounded-card border border-line bg-surface shadow-raised md:absolute md:inset-x-auto md:right-0 md:w-96"
      >
        <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line pl-4 pr-1">
          <h2 className="text-product font-semibold">Notifications</h2>
          {may("panel.own") ? (
            <BusyButton variant="quiet" size="small" busy={count === 0} onClick={() => void readAll()}>
              Mark all read
            </BusyButton>
          ) : null}
        </div>
        <div className="overflow-y-auto">
          {list === null ? <Loading /> : null}
          {list?.length === 0 ? (
            <EmptyState icon="bell" title="Nothing yet">
              Deposits, withdrawals, registrations and what else needs staff appear here.
            </EmptyState>
          ) : null}
          {list?.length ? <NewsList list={list} now={now} placeOf={at === "app" ? placeInApp : placeInPanel} onOpen={(one) => void readOne(one)} /> : null}
          {list?.length && more ? (
            <div className="border-t border-line p-2 text-center">
              <Button variant="quiet" size="small" onClick={() => void loadNews(true).then(setMore)}>
                Show older
              </Button>
            </div>
          ) : null}
        </div>
      </section>
    </details>
  );
}

const Loading = () => (
  <div role="status" aria-label="Loading notifications" className="flex flex-col gap-3 p-4">
    <Skeleton className="h-12 w-full" />
    <Skeleton className="h-12 w-full" />
    <Skeleton className="h-12 w-full" />
  </div>
);

export default island("AdminBell", AdminBell, { when: "idle" });
