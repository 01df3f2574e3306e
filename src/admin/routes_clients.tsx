import * as v from "valibot";
import { ClientPage } from "../../views/admin/ClientPage";
import { type ClientContent, ClientTabContent } from "../../views/admin/ClientTabs";
import { NotAllowed } from "../../views/admin/NotAllowed";
import { type ClientTab, clientTabLabel, clientTabNeeds, clientTabOf } from "../../views/admin/client_tabs";
import { panelHeader } from "../../views/admin/StaffHeader";
import { auditAbout } from "../audit/queries";
import { depositsOf, withdrawalsOf } from "../funding/queries";
import { linesOf } from "../funding/queries_history";
import { isNameShared } from "../identity/commands_names";
import { findMember, sessionsOf } from "../identity/queries";
import { roleRequestsOf } from "../identity/queries_roles";
import { lettersOf } from "../mail/queries";
import { nextOf } from "../lib/cursor";
import { queryOf } from "../lib/fit";
import { mayDo } from "../lib/permissions";
import { notFound } from "../lib/refusal";
import { id as idShape } from "../lib/shapes";
import type { AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { ticketsOf } from "../support/queries";
import { cursorOf as closedCursor, historyOf, openPositionsOf } from "../trading/queries";
import { heldAccounts } from "../trading/queries_moves";
import type { Trading } from "../trading/trading";
import { waitingFor } from "./queries";
import { notesOf } from "./queries_panel";
import { filtersOf } from "./queries_queues";
import { timelineOf } from "./queries_timeline";
import { timelineQuery } from "./schema_timeline";

/** Rows of a page. */
const ROWS = 50;
/** What an address says of a tab's list. */
const ASKED = ["cursor", "kind", "from", "to"];

type Asked = Pick<v.InferOutput<typeof timelineQuery>, "kind" | "from" | "to">;
type Paging = { limit: number; cursor?: string | undefined };
type Content = { [T in ClientTab]: (userId: string, page: Paging, me: Me, asked: Asked) => Promise<Extract<ClientContent, { tab: T }>> };

/** What each tab of a client's page holds. */
function contentOf({ sql }: AppContext, trading: Trading): Content {
  const last = <Row,>(rows: Row[], cursorOf: (row: Row) => string) => {
    const row = rows.at(-1);
    return row && rows.length === ROWS ? cursorOf(row) : null;
  };
  return {
    async timeline(userId, page, me, asked) {
      const [first, filters] = await Promise.all([timelineOf(sql, userId, { ...page, ...asked }, trading.board()), filtersOf(sql, me.id, "timeline")]);
      const query = { ...asked, limit: String(page.limit), ...(page.cursor ? { cursor: page.cursor } : {}) };
      return { tab: "timeline", first, query, filters, now: new Date().toISOString() };
    },
    profile: async () => ({ tab: "profile" }),
    accounts: async (userId, _page, me) => ({ tab: "accounts", held: await heldAccounts(sql, me, userId, trading.board()) }),
    async positions(userId, page) {
      const [open, closed] = await Promise.all([openPositionsOf(sql, userId, trading.board()), historyOf(sql, userId, page)]);
      return { tab: "positions", open, closed, next: last(closed, closedCursor) };
    },
    async ledger(userId, page) {
      const rows = await linesOf(sql, userId, { ...page, type: "all" });
      return { tab: "ledger", rows, next: last(rows, (line) => line.id) };
    },
    async deposits(userId, page) {
      const rows = await depositsOf(sql, userId, page);
      return { tab: "deposits", rows, next: nextOf(rows, ROWS) };
    },
    async withdrawals(userId, page) {
      const rows = await withdrawalsOf(sql, userId, page);
      return { tab: "withdrawals", rows, next: nextOf(rows, ROWS) };
    },
    async tickets(userId, page) {
      const rows = await ticketsOf(sql, userId, page);
      return { tab: "tickets", rows, next: nextOf(rows, ROWS) };
    },
    async letters(userId, page) {
      const rows = await lettersOf(sql, { userId, ...page });
      return { tab: "letters", rows, next: nextOf(rows, ROWS) };
    },
    sessions: async (userId, _page, me) => ({ tab: "sessions", rows: await sessionsOf(sql, userId, me.sessionId) }),
    async audit(userId, page) {
      const rows = await auditAbout(sql, userId, page);
      return { tab: "audit", rows, next: last(rows, (entry) => entry.id) };
    },
    notes: async (userId, page) => ({ tab: "notes", rows: await notesOf(sql, userId, page), limit: String(ROWS) }),
  };
}

/** A client's page, as its address asks for it. Refuses (not_found) nobody's id. */
export function clientPage(app: AppContext, trading: Trading) {
  const contents = contentOf(app, trading);
  return async (context: RequestContext, me: Me, userId: string | undefined): Promise<Page> => {
    if (!v.is(idShape, userId)) throw notFound();
    const asked = context.url.searchParams;
    const tab = clientTabOf(asked.get("tab"));
    const needs = clientTabNeeds(tab);
    const { cursor, kind, from, to } = queryOf(timelineQuery, new URLSearchParams([...asked].filter(([name]) => ASKED.includes(name))));
    const [member, content, roleRequests, waiting, nameShared] = await Promise.all([
      findMember(app.sql, userId),
      mayDo(me, needs) ? contents[tab](userId, { limit: ROWS, cursor }, me, { kind, from, to }) : null,
      mayDo(me, "roles.read") ? roleRequestsOf(app.sql, { status: "pending", userId, limit: 1 }) : [],
      waitingFor(app.sql, me),
      isNameShared(app.sql, me.id),
    ]);
    if (!member) throw notFound();
    return {
      title: `${member.firstName} ${member.lastName} · ${clientTabLabel(tab)}`,
      surface: "product",
      noindex: true,
      header: panelHeader({ tab: "users", waiting, nameShared }),
      body: (
        <ClientPage member={member} me={me.id} roleRequests={roleRequests} tab={tab}>
          {content ? <ClientTabContent member={member} me={me.id} content={content} cursor={cursor} /> : <NotAllowed permission={needs} />}
        </ClientPage>
      ),
    };
  };
}
