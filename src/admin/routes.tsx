import type { ReactNode } from "react";
import { AdminLayout } from "../../views/admin/AdminLayout";
import { AuditPage } from "../../views/admin/AuditPage";
import { GatePage } from "../../views/admin/GatePage";
import { RegistrationsPage } from "../../views/admin/RegistrationsPage";
import { adminTabLabel, adminTabOf, type AdminTab } from "../../views/admin/tabs";
import { DepositsPage, WithdrawalsPage } from "../../views/admin/QueuePage";
import { UsersPage } from "../../views/admin/UsersPage";
import { WalletsPage } from "../../views/admin/WalletsPage";
import { listAudit } from "../audit/queries";
import { auditTrail } from "../audit/schema";
import { usdRates } from "../funding/commands";
import { allWallets, staffDeposits, staffWithdrawals } from "../funding/queries";
import { staffDeposits as queue } from "../funding/schema";
import { listPending, listUsers as usersOf } from "../identity/queries";
import { listUsers } from "../identity/schema";
import { queryOf } from "../lib/fit";
import type { Market } from "../market/market";
import type { House, Me } from "../platform/house";
import { Doors, type Visit } from "../platform/http";
import type { Page } from "../platform/page";
import type { Trading } from "../trading/trading";
import { countWaiting } from "./queries";
import { tradeControl } from "./routes_trades";

/** Rows of a page. */
const ROWS = 50;
/** Of what waits, all that a list may answer. */
const MOST = 100;

/** The control panel goes by several names; links lead to the first. */
const PANELS = ["/admin", "/enhanced-admin", "/admin-comprehensive", "/admin-portal"];

/** The staff's pages. Anyone may open them; whoever is no administrator sees a gate and nothing else. */
export function adminPageDoors(house: House, market: Market, trading: Trading): Doors {
  const { sql } = house;
  const tabs = tabsOf(house, market, trading);

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
      ? { title: "Pending Registrations", look: "product", noindex: true, body: <RegistrationsPage people={await listPending(sql)} /> }
      : gate(visit, me, false),
  );
  for (const path of PANELS) doors.page(path, ({ visit, me }) => (isAdmin(me) ? panel(visit, me) : gate(visit, me, true)));
  return doors;
}

const isAdmin = (me: Me | null): me is Me => me?.role === "admin";

const gate = (visit: Visit, me: Me | null, leads: boolean): Page => ({
  title: "Admin Access Required",
  noindex: true,
  body: <GatePage returnTo={visit.url.pathname + visit.url.search} signedIn={me !== null} leads={leads} />,
});

/** What the page shows of the decided requests; what waits is always shown. */
function queueOf(asked: URLSearchParams) {
  const { q, status, cursor } = queryOf(queue.query, asked);
  return { q, status: status === "all" || status === "pending" ? ("decided" as const) : status, ...(cursor ? { cursor } : {}) };
}

type TabContent = (asked: URLSearchParams, me: Me) => Promise<ReactNode>;

/** What each tab shows for the query of its address. */
function tabsOf(house: House, market: Market, trading: Trading): Record<AdminTab, TabContent> {
  const { sql } = house;
  return {
    async users(asked, me) {
      const query = { ...queryOf(listUsers.query, asked), limit: ROWS };
      const users = await usersOf(sql, query);
      const last = users.length === ROWS ? users.at(-1) : undefined;
      const { q, status, cursor } = query;
      return (
        <UsersPage
          users={users}
          me={me.id}
          query={{ q, status, limit: String(ROWS), ...(cursor ? { cursor } : {}) }}
          next={last ? `${last.createdAt}_${last.id}` : null}
        />
      );
    },
    async deposits(asked, me) {
      const query = queueOf(asked);
      const [waiting, decided] = await Promise.all([
        staffDeposits(sql, { q: query.q, status: "pending", limit: MOST }, usdRates(market)),
        staffDeposits(sql, { ...query, limit: ROWS }, usdRates(market)),
      ]);
      return <DepositsPage waiting={waiting} decided={decided} query={{ ...query, limit: String(ROWS) }} me={me.id} now={new Date().toISOString()} />;
    },
    async withdrawals(asked, me) {
      const query = queueOf(asked);
      const [waiting, decided] = await Promise.all([
        staffWithdrawals(sql, { q: query.q, status: "pending", limit: MOST }),
        staffWithdrawals(sql, { ...query, limit: ROWS }),
      ]);
      return <WithdrawalsPage waiting={waiting} decided={decided} query={{ ...query, limit: String(ROWS) }} me={me.id} now={new Date().toISOString()} />;
    },
    trades: (asked, me) => tradeControl(house, trading, asked, me),
    wallets: async () => <WalletsPage wallets={await allWallets(sql)} />,
    async audit(asked) {
      const query = { ...queryOf(auditTrail.query, asked), limit: ROWS };
      const entries = await listAudit(sql, query);
      const next = entries.length === ROWS ? (entries.at(-1)?.id ?? null) : null;
      return <AuditPage entries={entries} q={query.q} status={query.status} next={next} paged={query.cursor !== undefined} />;
    },
  };
}
