import type { ReactNode } from "react";
import { type AppTab, appPath, appTabLabel, appTabNeeds, appTabOf } from "../../views/admin/app_tabs";
import { NotAllowed } from "../../views/admin/NotAllowed";
import { AppFrame } from "../../views/admin/AppFrame";
import { SecondFactorGate } from "../../views/identity/SecondFactorGate";
import { AppGate } from "../../views/admin/AppGate";
import { appHeader } from "../../views/admin/StaffHeader";
import { ChatPage, DashboardPage, MoneyPage, SettingsPage, SupportPage, TradesPage, UsersPage } from "../../views/admin/AppPages";
import { VisitorsPage } from "../../views/admin/VisitorsPage";
import { usdRates } from "../funding/commands";
import { staffDeposits, staffWithdrawals } from "../funding/queries";
import { listUsers as usersOf } from "../identity/queries";
import { listUsers } from "../identity/schema";
import { queryOf } from "../lib/fit";
import { mayDo } from "../lib/permissions";
import type { Market } from "../market/market";
import { unreadOf } from "../notifications/queries";
import type { AppContext, Me } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { listContact } from "../support/queries_contact";
import { staffTicketsOf } from "../support/queries_inbox";
import { staffPositionsOf } from "../trading/queries_staff";
import type { Trading } from "../trading/trading";
import { snapshotOf } from "../visitors/queries";
import { countWaiting, waitingFor } from "./queries";
import { pulseFor, pulseOf, statsOf } from "./queries_app";
import { readSettings } from "./queries_panel";
import { snoozes } from "./queries_queues";
import { chatsOf } from "./routes_support";

/** Cards of a list. */
const CARDS = 50;
const DECIDED = 20;
/** Of what waits, all that a list may answer. */
const MOST = 100;
/** Who has waited longest comes first; of the decided what was decided last. */
const ORDER = { pending: "wait", decided: "-decided" } as const;

/** The admin app. Anyone may open it; whoever is no administrator sees a gate and nothing else. */
export function appPageRoutes(app: AppContext, market: Market, trading: Trading): Routes {
  const { sql } = app;
  const tabs = tabsOf(app, market, trading);
  return new Routes(app, import.meta.path).page("/admin-app", async ({ context, me }) => {
    if (me?.role !== "admin") {
      const returnTo = context.url.pathname + context.url.search;
      const body = me?.heldBack ? <SecondFactorGate /> : <AppGate returnTo={returnTo} signedIn={me !== null} />;
      return { title: "Admin Access Required", noindex: true, body };
    }
    const asked = context.url.searchParams;
    const tab = appTabOf(asked.get("tab"), me);
    const needs = appTabNeeds(tab);
    const [pulse, unread, waiting, body] = await Promise.all([
      pulseOf(sql),
      unreadOf(sql, me),
      waitingFor(sql, me),
      mayDo(me, needs) ? tabs[tab](asked, me) : <NotAllowed permission={needs} />,
    ]);
    return {
      title: `${appTabLabel(tab)} · Admin App`,
      surface: "product",
      noindex: true,
      header: appHeader,
      body: (
        <AppFrame tab={tab} realtime={{ ...pulseFor(me, pulse), alerts: unread.count }} waiting={waiting}>
          {body}
        </AppFrame>
      ),
    };
  });
}

type TabContent = (asked: URLSearchParams, me: Me) => Promise<ReactNode>;

/** What each tab shows for the query of its address. */
function tabsOf(app: AppContext, market: Market, trading: Trading): Record<AppTab, TabContent> {
  const { sql, config } = app;
  const now = () => new Date().toISOString();
  return {
    dashboard: async (_, me) => <DashboardPage first={await statsOf(sql, trading, me)} now={now()} />,
    async visitors(_, me) {
      const [first, { count }] = await Promise.all([snapshotOf(sql), unreadOf(sql, me)]);
      return <VisitorsPage first={first} query={{}} notifications={count} now={now()} />;
    },
    async users(asked, me) {
      const { q, status, sort } = queryOf(listUsers.query, asked);
      const [users, waiting] = await Promise.all([usersOf(sql, { q, status, sort, limit: CARDS }), countWaiting(sql)]);
      return <UsersPage users={users} me={me.id} query={{ q, status, limit: String(CARDS) }} waiting={waiting.registrations} />;
    },
    async deposits(_, me) {
      const list = (status: "pending" | "decided", limit: number) => staffDeposits(sql, { q: "", sort: ORDER[status], status, limit }, usdRates(market));
      const [waiting, decided, { confirmAbove }, away] = await Promise.all([list("pending", MOST), list("decided", DECIDED), readSettings(sql), snoozes(sql)]);
      return <MoneyPage kind="deposit" {...{ waiting, decided, confirmAbove }} snoozes={away} me={me.id} now={now()} />;
    },
    async withdrawals(_, me) {
      const list = (status: "pending" | "decided", limit: number) => staffWithdrawals(sql, { q: "", sort: ORDER[status], status, limit });
      const [waiting, decided, { confirmAbove }, away] = await Promise.all([list("pending", MOST), list("decided", DECIDED), readSettings(sql), snoozes(sql)]);
      return <MoneyPage kind="withdrawal" {...{ waiting, decided, confirmAbove }} snoozes={away} me={me.id} now={now()} />;
    },
    async trades(_, me) {
      const rows = await staffPositionsOf(
        sql,
        { by: me.id, q: "", status: "open", sort: "-created", symbol: "", account: "all", side: "all", limit: CARDS },
        trading.board(),
      );
      const limits = { fourEyes: config.adverseCorrections === "four-eyes", secondFrom: config.correctionsAloneUpTo };
      return <TradesPage rows={rows} limit={String(CARDS)} me={{ id: me.id, name: `${me.firstName} ${me.lastName}` }} {...limits} />;
    },
    async support(asked, me) {
      if (asked.get("view") === "chat") return <ChatPage {...await chatsOf(app, asked)} at={appPath("support")} now={now()} me={me.id} />;
      const search = { q: "", status: "active", priority: "all", category: "all", assignee: "all", sort: "waiting", limit: CARDS } as const;
      const [tickets, messages] = await Promise.all([staffTicketsOf(sql, me.id, search), listContact(sql, { q: "", status: "new", limit: CARDS })]);
      return <SupportPage tickets={tickets} messages={messages} now={now()} />;
    },
    settings: () => Promise.resolve(<SettingsPage />),
  };
}
