import type { ReactNode } from "react";
import ClientAccounts from "../../islands/admin/ClientAccounts";
import AdminClientFacts from "../../islands/admin/AdminClientFacts";
import AdminTimeline, { type TimelineAsked } from "../../islands/admin/AdminTimeline";
import AdminNotes from "../../islands/admin/AdminNotes";
import AdminSessions from "../../islands/identity/AdminSessions";
import type { StaffNote } from "../../src/admin/schema";
import type { SavedFilter } from "../../src/admin/schema_queues";
import type { Timeline } from "../../src/admin/schema_timeline";
import type { AuditEntry } from "../../src/audit/schema";
import type { Deposit, Transaction, Withdrawal } from "../../src/funding/schema";
import type { Member, Session } from "../../src/identity/schema";
import type { LetterRow } from "../../src/mail/schema";
import type { Ticket } from "../../src/support/schema";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import type { HeldAccounts } from "../../src/trading/schema_moves";
import { EmptyState } from "../ui/States";
import { addressOf, panelTab } from "../ui/staff/address";
import { AuditTable } from "../audit/AuditTable";
import { LetterTable } from "../mail/LetterTable";
import { ClosedList, DepositList, LedgerList, OpenList, TicketList, WithdrawalList } from "./ClientTables";
import { type ClientTab, clientAt } from "./client_tabs";
import { Pager } from "../ui/staff/Filters";

/** What a tab of a client's page holds; `next` is the cursor of the page after this one. */
export type ClientContent =
  | { tab: "timeline"; first: Timeline; query: TimelineAsked; filters: SavedFilter[]; now: string }
  | { tab: "profile" }
  | { tab: "accounts"; held: HeldAccounts }
  | { tab: "positions"; open: Position[]; closed: ClosedPosition[]; next: string | null }
  | { tab: "ledger"; rows: Transaction[]; next: string | null }
  | { tab: "deposits"; rows: Deposit[]; next: string | null }
  | { tab: "withdrawals"; rows: Withdrawal[]; next: string | null }
  | { tab: "tickets"; rows: Ticket[]; next: string | null }
  | { tab: "letters"; rows: LetterRow[]; next: string | null }
  | { tab: "sessions"; rows: Session[] }
  | { tab: "audit"; rows: AuditEntry[]; next: string | null }
  | { tab: "notes"; rows: StaffNote[]; limit: string };

type Props = { member: Member; me: string; content: ClientContent; cursor: string | undefined };

const EMPTY: Partial<Record<ClientTab, string>> = {
  ledger: "No live money has moved",
  deposits: "No deposits",
  withdrawals: "No withdrawals",
  tickets: "No support tickets",
  letters: "No letters",
};

/** The chosen tab of a client's page. */
export function ClientTabContent({ member, me, content, cursor }: Props) {
  const at = clientAt(member.id, content.tab);
  const paged = (list: ReactNode, count: number, next: string | null) => (
    <>
      {count > 0 ? list : <EmptyState title={EMPTY[content.tab] ?? "Nothing here"} />}
      <Pager at={at} query={{ cursor }} next={next} />
    </>
  );
  switch (content.tab) {
    case "timeline":
      return <AdminTimeline userId={member.id} first={content.first} query={content.query} filters={content.filters} now={content.now} />;
    case "profile":
      return <AdminClientFacts member={member} />;
    case "accounts":
      return <ClientAccounts userId={member.id} first={content.held} />;
    case "positions":
      return <Positions member={member} at={at} content={content} cursor={cursor} />;
    case "ledger":
      return paged(<LedgerList rows={content.rows} />, content.rows.length, content.next);
    case "deposits":
      return <Requests what="deposits" member={member} list={paged(<DepositList rows={content.rows} />, content.rows.length, content.next)} />;
    case "withdrawals":
      return <Requests what="withdrawals" member={member} list={paged(<WithdrawalList rows={content.rows} />, content.rows.length, content.next)} />;
    case "tickets":
      return paged(<TicketList rows={content.rows} />, content.rows.length, content.next);
    case "letters":
      return paged(<LetterTable rows={content.rows} />, content.rows.length, content.next);
    case "sessions":
      return <AdminSessions userId={member.id} name={`${member.firstName} ${member.lastName}`} sessions={content.rows} own={member.id === me} />;
    case "audit":
      return (
        <>
          <AuditTable entries={content.rows} />
          <Pager at={at} query={{ cursor }} next={content.next} />
        </>
      );
    case "notes":
      return <AdminNotes userId={member.id} notes={content.rows} query={{ limit: content.limit, ...(cursor ? { cursor } : {}) }} />;
  }
}

const queueLink = "inline-flex min-h-11 items-center text-table text-accent underline-offset-4 hover:underline md:min-h-8";

/** The person's requests, and the way to the queue where they are decided. */
const Requests = ({ what, member, list }: { what: "deposits" | "withdrawals"; member: Member; list: ReactNode }) => (
  <>
    <a href={addressOf(panelTab(what), { q: member.email })} className={queueLink}>
      Decide in the queue of {what}
    </a>
    {list}
  </>
);

type PositionsProps = { member: Member; at: string; content: Extract<ClientContent, { tab: "positions" }>; cursor: string | undefined };
const Positions = ({ member, at, content: { open, closed, next }, cursor }: PositionsProps) => (
  <div className="flex flex-col gap-6">
    <section aria-label="Open positions">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-product font-semibold">Open</h2>
        <a href={addressOf(panelTab("trades"), { userId: member.id })} className={queueLink}>
          Live in Trade Control
        </a>
      </div>
      {open.length > 0 ? <OpenList rows={open} /> : <p className="py-4 text-soft">No open positions.</p>}
    </section>
    <section aria-label="Closed positions">
      <h2 className="text-product font-semibold">Closed</h2>
      {closed.length > 0 ? <ClosedList rows={closed} /> : <p className="py-4 text-soft">No closed positions.</p>}
      <Pager at={at} query={{ cursor }} next={next} />
    </section>
  </div>
);
