import type { ReactNode } from "react";
import { may } from "../../src/lib/may";
import type { CorrectionRequest, Dispute } from "../../src/trading/schema_corrections";
import { Profit } from "../accounts/Profit";
import { Button } from "../ui/Button";
import { instantText } from "../ui/instant";
import { addressOf, type ListQuery, panelTab } from "../ui/staff/address";
import { dealText } from "./staff_words";

type Deal = { userId: string; firstName: string; lastName: string; email: string; accountNumber: string };

/** Whose position it is, and on which account. */
const Whose = ({ userId, firstName, lastName, email, accountNumber }: Deal) => (
  <p>
    <a href={`/admin/users/${userId}`} className="font-medium text-ink underline-offset-4 hover:underline">
      {`${firstName} ${lastName}`}
    </a>
    <span className="block text-note text-soft [overflow-wrap:anywhere]">
      {email}, {accountNumber}
    </span>
  </p>
);

/** A result beside what the market makes of the position. */
const Results = ({ rows }: { rows: [name: string, amount: string | null][] }) => (
  <dl className="grid grid-cols-[1fr_auto] gap-x-4 tabular-nums">
    {rows.map(([name, amount]) => (
      <div key={name} className="contents">
        <dt className="text-soft">{name}</dt>
        <dd className="text-right">{amount === null ? "–" : <Profit value={amount} />}</dd>
      </div>
    ))}
  </dl>
);

/** What somebody wrote, with who and when under it. */
const Said = ({ text, by }: { text: string; by: ReactNode }) => (
  <blockquote>
    <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
    <footer className="text-note text-soft [overflow-wrap:anywhere]">{by}</footer>
  </blockquote>
);

const minute = (iso: string) => <time dateTime={iso}>{instantText(iso).slice(0, 16)} UTC</time>;

const PutAway = ({ onSnooze }: { onSnooze: () => void }) =>
  may("queues.work") ? (
    <Button variant="secondary" size="small" className="self-start" onClick={onSnooze}>
      Put away...
    </Button>
  ) : null;

type Props<R> = { row: R; viewers: string | undefined; onSnooze: () => void };

/** What a correction that waits says itself, at the head of the evidence for it. */
export const RequestedCorrection = ({ row, viewers, onSnooze }: Props<CorrectionRequest>) => (
  <div className="flex flex-col gap-2 text-table">
    <Whose {...row} />
    <Results
      rows={[
        ["Would settle at", row.settledProfit],
        ["Market result now", row.marketNow],
        ["Market result when asked", row.marketProfit],
      ]}
    />
    <Said
      text={row.reason}
      by={
        <>
          {row.administrator}, {minute(row.createdAt)}
        </>
      }
    />
    {viewers ? <p className="text-note text-warn">{viewers}</p> : null}
    <PutAway onSnooze={onSnooze} />
  </div>
);

/** What the trader and the administrator said of a correction that was objected to, and the way to what the market did. */
export const ObjectedCorrection = ({ row, viewers, query, onSnooze }: Props<Dispute> & { query: ListQuery }) => (
  <div className="flex flex-col gap-2 text-table">
    <Whose {...row} />
    <Results
      rows={[
        ["Settled", row.settledProfit],
        ["Market result", row.marketProfit],
      ]}
    />
    <Said text={row.reason} by={row.administrator} />
    <Said
      text={row.message}
      by={
        <>
          {row.firstName}, {minute(row.createdAt)}
        </>
      }
    />
    <p className="flex flex-wrap gap-x-4">
      <TicksLink row={row} query={query} />
      {row.ticketId ? (
        <a href={`/admin?tab=support&ticket=${row.ticketId}`} className="text-accent underline underline-offset-2">
          Ticket
        </a>
      ) : null}
    </p>
    {viewers ? <p className="text-note text-warn">{viewers}</p> : null}
    <PutAway onSnooze={onSnooze} />
  </div>
);

/** The way to the ticks of the minute around the fill, and its receipt. */
export const TicksLink = ({ row: { positionId }, query }: { row: Pick<Dispute, "positionId">; query: ListQuery }) => (
  <a href={addressOf(panelTab("trades"), { ...query, status: "disputes", evidence: positionId })} className="text-accent underline underline-offset-2">
    Ticks and receipt
  </a>
);

/** "Correction of BUY EUR/USD $1,000.00". */
export const correctionTitle = (row: Parameters<typeof dealText>[0]) => `Correction of ${dealText(row)}`;
