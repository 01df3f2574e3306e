import type { ReactNode } from "react";
import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import { FloatingPrice, FloatingProfit } from "../../islands/trading/Floating";
import { displayMoney } from "../../src/lib/money";
import type { CorrectionRequest, Dispute, Manipulation, StaffPosition } from "../../src/trading/schema_corrections";
import { instantText } from "../ui/instant";
import { dealPrice, sideWord } from "../../src/trading/rules_prices";
import { Profit } from "../accounts/Profit";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { type AdminColumn, AdminTable, ClientLink, Two } from "../ui/staff/AdminTable";
import { type ListQuery, panelTab } from "../ui/staff/address";
import { TicksLink } from "./CorrectionEvidence";
import { dealText, resultText, type TradeView } from "./staff_words";

type Deal = Pick<StaffPosition, "firstName" | "lastName" | "email" | "accountNumber" | "isDemo" | "type" | "symbol" | "amount"> & { userId: string };

export const minute = (iso: string) => `${instantText(iso).slice(0, 16)} UTC`;

export const who: AdminColumn<Deal> = {
  key: "who",
  title: "Who",
  sort: "name",
  lead: true,
  roomy: true,
  width: "lg:w-[15%]",
  cell: ({ userId, firstName, lastName, email }) => <ClientLink id={userId} name={`${firstName} ${lastName}`} email={email} />,
};
export const account: AdminColumn<Deal> = {
  key: "account",
  title: "Account",
  // From this width on the whole of its number, beside the evidence, too.
  width: "lg:w-[11.5%] min-[88rem]:!w-41",
  cell: ({ accountNumber, isDemo }) => (
    <Two first={<Badge tone={isDemo ? "secondary" : "default"}>{isDemo ? "Demo" : "Live"}</Badge>} second={accountNumber} byEnd />
  ),
};
/** The position, and what else there is to say of it. */
export const dealAnd = <Row extends Deal>(also: (row: Row) => ReactNode): AdminColumn<Row> => ({
  key: "deal",
  title: "Position",
  sort: "symbol",
  width: "min-[88rem]:w-50",
  cell: (row) => <Two first={<span className="font-medium">{dealText(row)}</span>} second={also(row)} />,
});
/** The heads of a list that is not the first one: its own name stays in the address. */
export const sortedList = (view: TradeView, query: ListQuery) => ({ at: panelTab("trades"), query: { ...query, status: view } });
export const words = (text: string) => <span className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</span>;

export type Force = "win" | "loss";
/** `here`: the browser has taken over, and quotes come. */
type Positions = { rows: StaffPosition[]; query: ListQuery; me: string; here: boolean; onForce: (force: Force, position: StaffPosition) => void };

/** Open positions of all accounts, each with what it would bring now. Nobody settles one's own. */
export const PositionTable = ({ rows, query, me, here, onForce }: Positions) => (
  <AdminTable
    caption="Open positions of all accounts"
    swipe={(position) =>
      position.userId === me || !may("trades.correct")
        ? null
        : {
            right: { label: "Force Win", onSwipe: () => onForce("win", position) },
            left: { label: "Force Loss", onSwipe: () => onForce("loss", position) },
          }
    }
    sorting={{ at: panelTab("trades"), query }}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      // No evidence stands beside this list, so that numbers have room earlier.
      { ...account, width: "lg:w-[11.5%] xl:!w-41" },
      {
        key: "deal",
        low: "brief",
        title: "Position",
        sort: "symbol",
        cell: (row) => (
          <Two
            first={
              <span className="font-medium">
                {sideWord(row.type)} {row.symbol}
              </span>
            }
            second={
              <span className="inline-flex items-center gap-1">
                {row.waits ? (
                  <a href="/admin?tab=trades&status=waiting" aria-label="A correction waits for a second administrator">
                    <Badge tone="warning" className="!py-0 leading-4">
                      waits
                    </Badge>
                  </a>
                ) : null}
                <Copyable text={row.id} what="Position ID" />
              </span>
            }
          />
        ),
      },
      { key: "amount", title: "Amount", sort: "amount", numeric: true, width: "lg:w-[8%]", cell: ({ amount }) => displayMoney(amount) },
      {
        key: "prices",
        title: "Open and current price",
        numeric: true,
        width: "lg:w-[12.5%]",
        cell: (row) => <Two first={dealPrice(row.openPrice, row.symbol)} second={<FloatingPrice position={row} here={here} />} />,
      },
      {
        key: "profit",
        low: "sum",
        title: "Floating result",
        sort: "profit",
        numeric: true,
        width: "lg:w-[9%]",
        cell: (position) => <FloatingProfit position={position} here={here} />,
      },
      {
        key: "opened",
        title: "Opened",
        sort: "created",
        width: "lg:w-[12.5%]",
        cell: ({ openedAt, createdAt }) => <time dateTime={openedAt ?? createdAt}>{minute(openedAt ?? createdAt)}</time>,
      },
      { key: "actions", title: "Actions", numeric: true, width: "lg:w-56", cell: (position) => <Forces position={position} me={me} onForce={onForce} /> },
    ]}
  />
);

function Forces({ position, me, onForce }: Pick<Positions, "me" | "onForce"> & { position: StaffPosition }) {
  if (!may("trades.correct")) return null;
  if (position.userId === me) return <span className="whitespace-normal text-note text-soft">Your own: another administrator decides</span>;
  const of = `${dealText(position)} of ${position.firstName} ${position.lastName}`;
  return (
    <span className="js-only inline-flex justify-end gap-1 max-lg:flex-wrap">
      <Button size="small" variant="quiet" aria-label={`Force Win ${of}`} onClick={() => onForce("win", position)}>
        Force Win
      </Button>
      <Button size="small" variant="quiet" aria-label={`Force Loss ${of}`} onClick={() => onForce("loss", position)}>
        Force Loss
      </Button>
    </span>
  );
}

export type Verdict = "confirm" | "decline";
/** The row that the keys act on, and the way to its evidence where that does not stand beside the list. */
type Walked = { current: string | null; onCurrent: (id: string) => void; onEvidence: (id: string) => void };
type Requests = Walked & {
  rows: CorrectionRequest[];
  query: ListQuery;
  me: string;
  viewers: ReadonlyMap<string, string>;
  onDecide: (verdict: Verdict, request: CorrectionRequest) => void;
};

/** Corrections against a live client, which need a second administrator. */
export const WaitingTable = ({ rows, query, me, viewers, onDecide, onEvidence, ...walked }: Requests) => (
  <AdminTable
    caption="Corrections that wait for a second administrator"
    {...walked}
    swipe={(request) =>
      request.adminUserId === me || request.userId === me || !may("trades.correct")
        ? null
        : {
            right: { label: "Confirm", onSwipe: () => onDecide("confirm", request) },
            left: { label: "Decline", onSwipe: () => onDecide("decline", request) },
          }
    }
    sorting={sortedList("waiting", query)}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      dealAnd(({ id }: CorrectionRequest) => <span className="text-warn">{viewers.get(id)}</span>),
      {
        key: "settled",
        title: "Would settle at",
        sort: "settled",
        numeric: true,
        width: "lg:w-[9%]",
        cell: ({ settledProfit }) => <Profit value={settledProfit} />,
      },
      {
        key: "market",
        title: "Market result",
        numeric: true,
        width: "lg:w-[10.5%]",
        cell: ({ marketNow, marketProfit }) => (
          <Two first={marketNow === null ? "–" : <Profit value={marketNow} />} second={`asked ${resultText(marketProfit)}`} />
        ),
      },
      {
        key: "reason",
        title: "Reason and asked",
        sort: "created",
        roomy: true,
        cell: ({ reason, administrator, createdAt }) => <Two first={words(reason)} second={`${administrator}, ${minute(createdAt)}`} />,
      },
      {
        key: "actions",
        title: "Actions",
        numeric: true,
        width: "lg:w-72 xl:w-46",
        cell: (request) => (
          <span className="inline-flex items-center justify-end gap-1 max-lg:flex-wrap">
            <EvidenceButton row={request} onEvidence={onEvidence} />
            <Verdicts request={request} me={me} onDecide={onDecide} />
          </span>
        ),
      },
    ]}
  />
);

const EvidenceButton = ({ row, onEvidence }: Pick<Walked, "onEvidence"> & { row: Deal & { id: string } }) => (
  <Button
    size="small"
    variant="quiet"
    className="js-only xl:hidden"
    aria-label={`Evidence for ${dealText(row)} of ${row.firstName} ${row.lastName}`}
    onClick={() => onEvidence(row.id)}
  >
    Evidence
  </Button>
);

function Verdicts({ request, me, onDecide }: Pick<Requests, "me" | "onDecide"> & { request: CorrectionRequest }) {
  if (request.adminUserId === me) return <span className="whitespace-normal text-note text-soft">You asked for it: another administrator decides</span>;
  if (request.userId === me) return <span className="whitespace-normal text-note text-soft">Your own: another administrator decides</span>;
  const of = `the correction of ${dealText(request)} of ${request.firstName} ${request.lastName}`;
  return (
    <span className="js-only inline-flex justify-end gap-1 max-lg:flex-wrap">
      <Button size="small" variant="secondary" data-key="a" aria-label={`Confirm ${of}`} onClick={() => onDecide("confirm", request)}>
        Confirm
      </Button>
      <Button size="small" variant="quiet" data-key="r" aria-label={`Decline ${of}`} onClick={() => onDecide("decline", request)}>
        Decline
      </Button>
    </span>
  );
}

/** Every correction that was carried out. */
export const CorrectionTable = ({ rows, query }: { rows: Manipulation[]; query: ListQuery }) => (
  <AdminTable
    caption="Corrections"
    sorting={sortedList("corrections", query)}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      dealAnd(({ manipulationType }: Manipulation) => (manipulationType === "force_win" ? "Force Win" : "Force Loss")),
      { key: "settled", title: "Settled", sort: "settled", numeric: true, width: "lg:w-[8%]", cell: ({ settledProfit }) => <Profit value={settledProfit} /> },
      {
        key: "market",
        title: "Market result",
        numeric: true,
        width: "lg:w-[10.5%]",
        cell: ({ marketProfit, marketPrice, symbol }) => <Two first={<Profit value={marketProfit} />} second={`at ${dealPrice(marketPrice, symbol)}`} />,
      },
      {
        key: "impact",
        title: "Impact",
        sort: "impact",
        numeric: true,
        width: "lg:w-[10.5%]",
        cell: ({ impact, againstClient }) => (
          <Two first={resultText(impact)} second={againstClient ? <span className="text-loss">against the client</span> : ""} />
        ),
      },
      {
        key: "reason",
        low: "brief",
        title: "Reason",
        roomy: true,
        cell: ({ reason, disputedAt }) => (
          <Two first={words(reason)} second={disputedAt ? <span className="text-warn">{`Disputed ${minute(disputedAt)}`}</span> : ""} />
        ),
      },
      {
        key: "by",
        title: "By",
        sort: "created",
        width: "lg:w-[12.5%]",
        cell: ({ administrator, createdAt }) => <Two first={administrator} second={minute(createdAt)} />,
      },
    ]}
  />
);

/** What traders object to. */
export const DisputeTable = ({ rows, query, viewers, onEvidence, ...walked }: Walked & { rows: Dispute[]; query: ListQuery; viewers: Requests["viewers"] }) => (
  <AdminTable
    caption="Disputed corrections"
    {...walked}
    sorting={sortedList("disputes", query)}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      dealAnd((row: Dispute) => (viewers.has(row.id) ? <span className="text-warn">{viewers.get(row.id)}</span> : <TicksLink row={row} query={query} />)),
      {
        key: "settled",
        title: "Settled, market",
        sort: "settled",
        numeric: true,
        width: "lg:w-[13%]",
        cell: ({ settledProfit, marketProfit }) => <Two first={<Profit value={settledProfit} />} second={`market ${resultText(marketProfit)}`} />,
      },
      { key: "reason", title: "Reason given", roomy: true, cell: ({ reason, administrator }) => <Two first={words(reason)} second={administrator} /> },
      {
        key: "message",
        low: "brief",
        title: "The trader says",
        sort: "created",
        roomy: true,
        cell: ({ message, createdAt }) => <Two first={words(message)} second={minute(createdAt)} />,
      },
      {
        key: "ticket",
        title: "Ticket",
        width: "lg:w-40 xl:w-[6%]",
        cell: (row) => (
          <span className="inline-flex items-center gap-2">
            {row.ticketId ? (
              <a
                href={`/admin?tab=support&ticket=${row.ticketId}`}
                data-opens=""
                className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 lg:min-h-0"
              >
                Open
              </a>
            ) : (
              "–"
            )}
            <EvidenceButton row={row} onEvidence={onEvidence} />
          </span>
        ),
      },
    ]}
  />
);
