import type { ReactNode } from "react";
import { AdminLayout } from "../../views/admin/AdminLayout";
import { AuditPage } from "../../views/admin/AuditPage";
import { GatePage } from "../../views/admin/GatePage";
import { SecondFactorGate } from "../../views/admin/SecondFactorGate";
import { OverviewPage } from "../../views/admin/OverviewPage";
import { RegistrationsPage } from "../../views/admin/RegistrationsPage";
import { adminTabLabel, adminTabOf, type AdminTab } from "../../views/admin/tabs";
import { DepositsPage, WithdrawalsPage } from "../../views/admin/QueuePage";
import { SystemPage } from "../../views/admin/SystemPage";
import { UsersPage } from "../../views/admin/UsersPage";
import { WalletsPage } from "../../views/admin/WalletsPage";
import { VisitorsPage } from "../../views/admin_app/VisitorsPage";
import { auditActions, listAudit } from "../audit/queries";
import { auditTrail } from "../audit/schema";
import { usdRates } from "../funding/commands";
import { allWallets, staffDeposits, staffWithdrawals } from "../funding/queries";
import { staffDeposits as queue } from "../funding/schema";
import { listPending, listUsers as usersOf } from "../identity/queries";
import { listUsers } from "../identity/schema";
import { queryOf } from "../lib/fit";
import type { Me } from "../platform/house";
import { Doors, type Visit } from "../platform/http";
import type { Page } from "../platform/page";
import { exposureOf } from "../trading/queries_staff";
import { unreadOf } from "../notifications/queries";
import { snapshotOf } from "../visitors/queries";
import type { Parts } from "./metrics";
import { countWaiting } from "./queries";
import { readSettings } from "./queries_desk";
import { daysOf, overviewOf } from "./queries_overview";
import { clientPage } from "./routes_clients";
import { supportDesk } from "./routes_support";
import { tradeControl } from "./routes_trades";
import { systemOf } from "./system";

/** Rows of a page. */
const ROWS = 50;
/** Of what waits, all that a list may answer. */
const MOST = 100;

/** The control panel goes by several names; links lead to the first. */
const PANELS = ["/admin", "/enhanced-admin", "/admin-comprehensive", "/admin-portal"];

/** The staff's pages. Anyone may open them; whoever is no administrator sees a gate and nothing else. */
export function adminPageDoors(parts: Parts): Doors {
  const { house, trading } = parts;
  const { sql } = house;
  const tabs = tabsOf(parts);

  const panel = async (visit: Visit, me: Me): Promise<Page> => {
    const asked = visit.url.searchParams;
    const tab = adminTabOf(asked.get("tab"));
    const [waiting, body] = await Promise.all([countWaiting(sql), tabs[tab](asked, me)]);
    return {
      title: `${adminTabLabel(tab)} · Control Panel`,
      look: "product",
      noindex: true,
      body: (
        <AdminLayout tab={tab} waiting={waiting}>
          {body}
        </AdminLayout>
      ),
    };
  };
  const doors = new Doors(house).page("/admin-registrations", async ({ visit, me }) =>
    isAdmin(me)
      ? { title: "Pending Registrations", look: "product", noindex: true, body: <RegistrationsPage people={await listPending(sql)} me={me.id} /> }
      : gate(visit, me, false),
  );
  const client = clientPage(house, trading);
  doors.page("/admin/users/:id", ({ visit, me, params }) => (isAdmin(me) ? client(visit, me, params.id) : gate(visit, me, true)));
  for (const path of PANELS) doors.page(path, ({ visit, me }) => (isAdmin(me) ? panel(visit, me) : gate(visit, me, true)));
  return doors;
}

const isAdmin = (me: Me | null): me is Me => me?.role === "admin";

const gate = (visit: Visit, me: Me | null, leads: boolean): Page => ({
  title: "Admin Access Required",
  noindex: true,
  body: me?.heldBack ? <SecondFactorGate /> : <GatePage returnTo={visit.url.pathname + visit.url.search} signedIn={me !== null} leads={leads} />,
});

/** What the page shows of the decided requests; what waits is always shown. */
function queueOf(asked: URLSearchParams) {
  const { q, status, sort, cursor } = queryOf(queue.query, asked);
  return { q, sort, status: status === "all" || status === "pending" ? ("decided" as const) : status, ...(cursor ? { cursor } : {}) };
}

type TabContent = (asked: URLSearchParams, me: Me) => Promise<ReactNode>;

/** What each tab shows for the query of its address. */
function tabsOf(parts: Parts): Record<AdminTab, TabContent> {
  const { house, market, trading } = parts;
  const { sql } = house;
  const limit = String(ROWS);
  return {
    async users(asked, me) {
      const { q, status, sort, cursor } = queryOf(listUsers.query, asked);
      const query = { q, status, sort, ...(cursor ? { cursor } : {}) };
      return <UsersPage users={await usersOf(sql, { ...query, limit: ROWS })} me={me.id} query={{ ...query, limit }} />;
    },
    async deposits(asked, me) {
      const query = queueOf(asked);
      const { q, sort } = query;
      const [waiting, decided, { confirmAbove }] = await Promise.all([
        staffDeposits(sql, { q, sort, status: "pending", limit: MOST }, usdRates(market)),
        staffDeposits(sql, { ...query, limit: ROWS }, usdRates(market)),
        readSettings(sql),
      ]);
      return <DepositsPage {...{ waiting, decided, confirmAbove }} query={{ ...query, limit }} me={me.id} now={new Date().toISOString()} />;
    },
    async withdrawals(asked, me) {
      const query = queueOf(asked);
      const { q, sort } = query;
      const [waiting, decided, { confirmAbove }] = await Promise.all([
        staffWithdrawals(sql, { q, sort, status: "pending", limit: MOST }),
        staffWithdrawals(sql, { ...query, limit: ROWS }),
        readSettings(sql),
      ]);
      return <WithdrawalsPage {...{ waiting, decided, confirmAbove }} query={{ ...query, limit }} me={me.id} now={new Date().toISOString()} />;
    },
    trades: (asked, me) => tradeControl(house, trading, asked, me),
    visitors: async (_, me) => {
      const [first, { count }] = await Promise.all([snapshotOf(sql), unreadOf(sql, me.id)]);
      return <VisitorsPage first={first} notifications={count} now={new Date().toISOString()} />;
    },
    support: (asked, me) => supportDesk(house, asked, me),
    wallets: async () => <WalletsPage wallets={await allWallets(sql)} />,
    async audit(asked) {
      const { limit: _all, format: _file, ...query } = queryOf(auditTrail.query, asked);
      const [entries, actions] = await Promise.all([listAudit(sql, { ...query, limit: ROWS }), auditActions(sql)]);
      const next = entries.length === ROWS ? (entries.at(-1)?.id ?? null) : null;
      return <AuditPage entries={entries} query={query} next={next} actions={actions} />;
    },
    system: async (asked) => <SystemPage facts={await systemOf(parts, asked.get("checks") === "run")} />,
    overview: async () => <OverviewPage overview={await overviewOf(sql)} days={await daysOf(sql)} exposure={await exposureOf(sql, "all", trading.board())} />,
  };
}
