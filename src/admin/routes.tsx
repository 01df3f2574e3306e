import type { ReactNode } from "react";
import { AdminLayout } from "../../views/admin/AdminLayout";
import { coloursOf, framedCss } from "../../views/mail/looks";
import { NotAllowed } from "../../views/admin/NotAllowed";
import { AuditPage } from "../../views/audit/AuditPage";
import { GatePage } from "../../views/admin/GatePage";
import { SecondFactorGate } from "../../views/identity/SecondFactorGate";
import { OverviewPage } from "../../views/admin/OverviewPage";
import { RegistrationsPage } from "../../views/identity/RegistrationsPage";
import { SearchPage } from "../../views/admin/SearchPage";
import { panelHeader } from "../../views/admin/StaffHeader";
import { adminTabLabel, adminTabNeeds, adminTabOf, type AdminTab, adminTitle, seesTab } from "../../views/admin/tabs";
import { DepositsPage, WithdrawalsPage } from "../../views/funding/QueuePage";
import { SystemPage } from "../../views/admin/SystemPage";
import { RulesPage } from "../../views/compliance/RulesPage";
import { DocumentsPage } from "../../views/compliance/DocumentsPage";
import { UsersPage } from "../../views/identity/UsersPage";
import { WalletsPage } from "../../views/funding/WalletsPage";
import { panelTab } from "../../views/ui/staff/address";
import { VisitorsPage } from "../../views/admin/VisitorsPage";
import { auditActions, listAudit } from "../audit/queries";
import { auditTrail } from "../audit/schema";
import { documentQueue } from "../compliance/queries";
import { jurisdictions, levelRules } from "../compliance/queries_rules";
import { listDocuments } from "../compliance/schema";
import { usdRates } from "../funding/commands";
import { allPayments } from "../funding/queries_payments";
import { allWallets, staffDeposits, staffWithdrawals } from "../funding/queries";
import { decidedOrder, staffDeposits as queue } from "../funding/schema";
import { HoldingsPart } from "../../views/integrity/HoldingsPart";
import { declaredHolding } from "../integrity/queries";
import { isNameShared } from "../identity/commands_names";
import { listPending, listUsers as usersOf, peopleMeant } from "../identity/queries";
import { roleRequestsOf } from "../identity/queries_roles";
import { listPendingRegistrations, listUsers } from "../identity/schema";
import { queryOf } from "../lib/fit";
import { mayDo, type Permission } from "../lib/permissions";
import { type Me, reader } from "../platform/app_context";
import { Routes, type RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { unreadOf } from "../notifications/queries";
import { plain, snapshotOf, visitsOf } from "../visitors/queries";
import { listVisitors } from "../visitors/schema";
import type { DayBooks } from "./day_books";
import type { Parts } from "./metrics";
import { countWaiting, waitingFor } from "./queries";
import { besideOf, filtersOf } from "./queries_queues";
import { readSettings } from "./queries_panel";
import { foundBy } from "./queries_search";
import { daysOf, overviewOf } from "./queries_overview";
import { searchAll } from "./schema_search";
import { clientPage } from "./routes_clients";
import { dayPage, todayTab } from "./routes_days";
import { mailView } from "./routes_mail";
import { settingsTab } from "./routes_settings";
import { supportTab } from "./routes_support";
import { tradeControl } from "./routes_trades";
import { systemOf } from "./system";

/** Rows of a page. */
const ROWS = 50;
/** Of what waits, all that a list may answer. */
const MOST = 100;

/** Of each kind, what the search shows as a page. */
const FOUND = 20;

/** The control panel goes by several names; links lead to the first. */
const PANELS = ["/admin", "/enhanced-admin", "/admin-comprehensive", "/admin-portal"];

/** The staff's pages. Anyone may open them; whoever is no administrator sees a gate and nothing else. */
export function adminPageRoutes(parts: Parts, books: DayBooks): Routes {
  const { app, trading } = parts;
  const { sql } = app;
  /** System looks at the primary itself. */
  const tabs = async (tab: AdminTab): Promise<TabContent> => tabsOf(tab === "system" ? parts : { ...parts, app: await reader(app) }, books)[tab];

  const headerOf = async (me: Me, tab: AdminTab | null) => {
    const [waiting, nameShared] = await Promise.all([waitingFor(sql, me), isNameShared(sql, me.id)]);
    return { header: panelHeader({ tab, waiting, nameShared }), title: (name: string) => adminTitle(`${name} · Control Panel`, tab, waiting) };
  };
  const panel = async ({ url: { searchParams: asked } }: RequestContext, me: Me, tab = adminTabOf(asked.get("tab"), me)): Promise<Page> => {
    const needs = adminTabNeeds(tab);
    const [{ header, title }, body] = await Promise.all([
      headerOf(me, tab),
      seesTab(me, tab) ? tabs(tab).then((content) => content(asked, me)) : <NotAllowed permission={needs} />,
    ]);
    const page = { title: title(adminTabLabel(tab)), surface: "product", noindex: true, header, body: <AdminLayout tab={tab}>{body}</AdminLayout> } as const;
    // Letters are seen beforehand there.
    return tab === "settings" ? { ...page, framedStyle: framedCss(coloursOf(app.brand.accents)) } : page;
  };
  /** The panel without anything of what the reader may not see. */
  const notAllowed = async (me: Me, tab: AdminTab, needs: Permission): Promise<Page> => {
    const { header, title } = await headerOf(me, tab);
    const body = (
      <AdminLayout tab={tab}>
        <NotAllowed permission={needs} />
      </AdminLayout>
    );
    return { title: title(adminTabLabel(tab)), surface: "product", noindex: true, header, body };
  };
  const routes = new Routes(app, import.meta.path).page("/admin-registrations", ({ context, me }) =>
    isAdmin(me) ? panel(context, me, "registrations") : gate(context, me, false),
  );
  const client = clientPage(app, trading);
  routes.page("/admin/users/:id", ({ context, me, params }) => {
    if (!isAdmin(me)) return gate(context, me, true);
    return mayDo(me, "people.read") ? client(context, me, params.id) : notAllowed(me, "users", "people.read");
  });
  const printed = dayPage(app, books);
  const day = async (me: Me, named: string | undefined): Promise<Page> => ({ ...(await printed(named)), header: (await headerOf(me, "today")).header });
  routes.page("/admin/days/:day", ({ context, me, params }) => {
    if (!isAdmin(me)) return gate(context, me, false);
    return mayDo(me, "overview.read") ? day(me, params.day) : notAllowed(me, "today", "overview.read");
  });
  const search = async ({ url: { searchParams: asked } }: RequestContext, me: Me): Promise<Page> => {
    const { q } = queryOf(searchAll.query, asked);
    const [{ header, title }, found] = await Promise.all([headerOf(me, null), app.pace.keep(me.id, () => foundBy(sql, me, q, FOUND))]);
    return { title: title("Search"), surface: "product", noindex: true, header, body: <SearchPage q={q} found={found} /> };
  };
  routes.page("/admin/search", ({ context, me }) => (isAdmin(me) ? search(context, me) : gate(context, me, true)));
  for (const path of PANELS) routes.page(path, ({ context, me }) => (isAdmin(me) ? panel(context, me) : gate(context, me, true)));
  return routes;
}

const isAdmin = (me: Me | null): me is Me => me?.role === "admin";

const gate = (context: RequestContext, me: Me | null, leads: boolean): Page => ({
  title: "Admin Access Required",
  noindex: true,
  body: me?.heldBack ? <SecondFactorGate /> : <GatePage returnTo={context.url.pathname + context.url.search} signedIn={me !== null} leads={leads} />,
});

/** What the page shows of the decided requests; of what waits the search and the days alone leave something out. */
function queueOf(asked: URLSearchParams) {
  const { q, status, sort: named, cursor, from, to } = queryOf(queue.query, asked);
  // Who has waited longest comes first.
  const sort = asked.has("sort") ? named : "wait";
  return { q, sort, from, to, status: status === "all" || status === "pending" ? ("decided" as const) : status, ...(cursor ? { cursor } : {}) };
}

type TabContent = (asked: URLSearchParams, me: Me) => Promise<ReactNode>;

/** What each tab shows for the query of its address. */
function tabsOf(parts: Parts, books: DayBooks): Record<AdminTab, TabContent> {
  const { app, market, trading } = parts;
  const { sql } = app;
  const limit = String(ROWS);
  return {
    async users(asked, me) {
      const { q, status, kyc, from, to, sort, cursor } = queryOf(listUsers.query, asked);
      const query = { q, status, kyc, from, to, sort, ...(cursor ? { cursor } : {}) };
      const [users, roleRequests, beside] = await Promise.all([
        usersOf(sql, { ...query, limit: ROWS }),
        mayDo(me, "roles.read") ? roleRequestsOf(sql, { status: "pending", limit: ROWS }) : [],
        besideOf(sql, me.id, "users"),
      ]);
      return <UsersPage {...beside} users={users} roleRequests={roleRequests} me={me.id} query={{ ...query, limit }} />;
    },
    async registrations(asked, me) {
      const { q, from, to } = queryOf(listPendingRegistrations.query, asked);
      const query = { q, from, to };
      const [people, { registrations: total }, beside] = await Promise.all([
        listPending(sql, { ...query, sort: "created", limit: MOST }),
        countWaiting(sql),
        besideOf(sql, me.id, "registrations"),
      ]);
      return <RegistrationsPage {...beside} {...{ people, total, query }} me={me.id} />;
    },
    async kyc(asked, me) {
      if (asked.get("view") === "rules") {
        const [levels, countries] = await Promise.all([levelRules(sql), jurisdictions(sql)]);
        return <RulesPage levels={levels} jurisdictions={countries} />;
      }
      const { q, status, from, to, cursor } = queryOf(listDocuments.query, asked);
      const query = { q, status, from, to, ...(cursor ? { cursor } : {}) };
      const [documents, { documents: total }, beside] = await Promise.all([
        documentQueue(sql, { ...query, limit: MOST }),
        countWaiting(sql),
        besideOf(sql, me.id, "kyc"),
      ]);
      return <DocumentsPage {...beside} {...{ documents, total, query }} me={me.id} now={new Date().toISOString()} />;
    },
    async deposits(asked, me) {
      const query = queueOf(asked);
      const { q, sort, from, to } = query;
      const [waiting, decided, { confirmAbove }, { deposits: total }, beside] = await Promise.all([
        staffDeposits(sql, { q, sort, from, to, status: "pending", limit: MOST }, usdRates(market)),
        staffDeposits(sql, { ...query, sort: decidedOrder(sort), limit: ROWS }, usdRates(market)),
        readSettings(sql),
        countWaiting(sql),
        besideOf(sql, me.id, "deposits"),
      ]);
      return <DepositsPage {...beside} {...{ waiting, decided, total, confirmAbove }} query={{ ...query, limit }} me={me.id} now={new Date().toISOString()} />;
    },
    async withdrawals(asked, me) {
      const query = queueOf(asked);
      const { q, sort, from, to } = query;
      const [waiting, decided, { confirmAbove }, { withdrawals: total }, beside] = await Promise.all([
        staffWithdrawals(sql, { q, sort, from, to, status: "pending", limit: MOST }),
        staffWithdrawals(sql, { ...query, sort: decidedOrder(sort), limit: ROWS }),
        readSettings(sql),
        countWaiting(sql),
        besideOf(sql, me.id, "withdrawals"),
      ]);
      return (
        <WithdrawalsPage {...beside} {...{ waiting, decided, total, confirmAbove }} query={{ ...query, limit }} me={me.id} now={new Date().toISOString()} />
      );
    },
    trades: (asked, me) => tradeControl(app, trading, asked, me),
    async visitors(asked, me) {
      const { from, to, cursor } = queryOf(listVisitors.query, asked);
      const [first, { count }, filters, visits] = await Promise.all([
        snapshotOf(sql),
        unreadOf(sql, me),
        filtersOf(sql, me.id, "visitors"),
        from || to ? visitsOf(sql, { from, to, cursor, limit: ROWS }) : null,
      ]);
      const next = visits?.length === ROWS ? String(visits.at(-1)?.number) : null;
      const query = { at: panelTab("visitors"), from, to, cursor };
      return <VisitorsPage {...{ first, query, next, filters }} past={visits && visits.map(plain)} notifications={count} now={new Date().toISOString()} />;
    },
    support: (asked, me) => supportTab(app, asked, me),
    wallets: async () => {
      const [wallets, payments, holding] = await Promise.all([allWallets(sql), allPayments(sql), declaredHolding(sql)]);
      return (
        <>
          <WalletsPage {...{ wallets, payments }} />
          <HoldingsPart holding={holding} />
        </>
      );
    },
    async audit(asked, me) {
      const { limit: _all, format: _file, ...query } = queryOf(auditTrail.query, asked);
      const [entries, actions, filters] = await Promise.all([
        listAudit(sql, { ...query, limit: ROWS }, peopleMeant),
        auditActions(sql),
        filtersOf(sql, me.id, "audit"),
      ]);
      const next = entries.length === ROWS ? (entries.at(-1)?.id ?? null) : null;
      return <AuditPage {...{ entries, query, next, actions, filters }} />;
    },
    system: async (asked, me) =>
      asked.get("view") === "mail" && mayDo(me, "letters.read") ? (
        mailView(app, asked, me)
      ) : (
        <SystemPage facts={await systemOf(parts, asked.get("checks") === "run")} />
      ),
    settings: (asked, me) => settingsTab(app, asked, me),
    today: (asked) => todayTab(app, books, asked),
    async overview() {
      const { exposure } = await trading.held("all");
      const [overview, days] = await Promise.all([overviewOf(sql, exposure), daysOf(sql)]);
      return <OverviewPage {...{ overview, days, exposure }} />;
    },
  };
}
