import { Copyable } from "../../islands/lib/Copyable";
import { displayPrice } from "../../src/lib/money";
import type { CorrectionRequest, Dispute, Manipulation, StaffPosition } from "../../src/trading/schema_corrections";
import { instantText } from "../portal/instant";
import { digitsOf } from "../portal/model";
import { Profit } from "../portal/SummaryCards";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { type AdminColumn, AdminTable, Person, Two } from "./AdminTable";
import { dealText, resultText } from "./trade_words";

type Deal = Pick<StaffPosition, "firstName" | "lastName" | "email" | "accountNumber" | "isDemo" | "type" | "symbol" | "amount"> & { userId: string };

const minute = (iso: string) => `${instantText(iso).slice(0, 16)} UTC`;
const priceOf = (price: string | null, symbol: string) => (price === null ? "–" : displayPrice(price, digitsOf(symbol)));

const who: AdminColumn<Deal> = { key: "who", title: "Who", lead: true, roomy: true, cell: (row) => <Person {...row} /> };
const account: AdminColumn<Deal> = {
  key: "account",
  title: "Account",
  cell: ({ accountNumber, isDemo }) => <Two first={<Badge tone={isDemo ? "secondary" : "default"}>{isDemo ? "Demo" : "Live"}</Badge>} second={accountNumber} />,
};
const words = (text: string) => <span className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</span>;

export type Force = "win" | "loss";
type Positions = { rows: StaffPosition[]; me: string; onForce: (force: Force, position: StaffPosition) => void };

/** Open positions of all accounts, each with what it would bring now. Nobody settles one's own. */
export const PositionTable = ({ rows, me, onForce }: Positions) => (
  <AdminTable
    caption="Open positions of all accounts, newest first"
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      {
        key: "deal",
        title: "Position",
        cell: (row) => <Two first={<span className="font-medium">{dealText(row)}</span>} second={<Copyable text={row.id} what="Position ID" />} />,
      },
      {
        key: "prices",
        title: "Open and current price",
        numeric: true,
        cell: ({ openPrice, currentPrice, symbol }) => <Two first={priceOf(openPrice, symbol)} second={priceOf(currentPrice, symbol)} />,
      },
      { key: "profit", title: "Floating result", numeric: true, cell: ({ profit }) => (profit === null ? "–" : <Profit value={profit} />) },
      { key: "opened", title: "Opened", cell: ({ openedAt, createdAt }) => <time dateTime={openedAt ?? createdAt}>{minute(openedAt ?? createdAt)}</time> },
      { key: "actions", title: "Actions", numeric: true, cell: (position) => <Forces position={position} me={me} onForce={onForce} /> },
    ]}
  />
);

function Forces({ position, me, onForce }: Omit<Positions, "rows"> & { position: StaffPosition }) {
  if (position.userId === me) return <span className="text-note text-soft">Your own: another administrator decides</span>;
  const of = `${dealText(position)} of ${position.firstName} ${position.lastName}`;
  return (
    <div className="flex flex-col items-end gap-1">
      <span className="js-only inline-flex flex-wrap justify-end gap-2">
        <Button size="small" look="secondary" aria-label={`Force Win ${of}`} onClick={() => onForce("win", position)}>
          Force Win
        </Button>
        <Button size="small" look="danger" aria-label={`Force Loss ${of}`} onClick={() => onForce("loss", position)}>
          Force Loss
        </Button>
      </span>
      {position.waits ? <Badge tone="warning">A correction waits</Badge> : null}
    </div>
  );
}

export type Verdict = "confirm" | "decline";
type Requests = { rows: CorrectionRequest[]; me: string; onDecide: (verdict: Verdict, request: CorrectionRequest) => void };

/** Corrections against a live client, which need a second administrator. */
export const WaitingTable = ({ rows, me, onDecide }: Requests) => (
  <AdminTable
    caption="Corrections that wait for a second administrator, newest first"
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      { key: "deal", title: "Position", cell: (row) => <span className="font-medium">{dealText(row)}</span> },
      { key: "settled", title: "Would settle at", numeric: true, cell: ({ settledProfit }) => <Profit value={settledProfit} /> },
      {
        key: "market",
        title: "Market result",
        numeric: true,
        cell: ({ marketNow, marketProfit }) => (
          <Two first={marketNow === null ? "–" : <Profit value={marketNow} />} second={`${resultText(marketProfit)} when asked`} />
        ),
      },
      {
        key: "reason",
        title: "Reason",
        roomy: true,
        cell: ({ reason, administrator, createdAt }) => <Two first={words(reason)} second={`${administrator}, ${minute(createdAt)}`} />,
      },
      { key: "actions", title: "Actions", numeric: true, cell: (request) => <Verdicts request={request} me={me} onDecide={onDecide} /> },
    ]}
  />
);

function Verdicts({ request, me, onDecide }: Omit<Requests, "rows"> & { request: CorrectionRequest }) {
  if (request.adminUserId === me) return <span className="text-note text-soft">You asked for it: another administrator decides</span>;
  if (request.userId === me) return <span className="text-note text-soft">Your own: another administrator decides</span>;
  const of = `the correction of ${dealText(request)} of ${request.firstName} ${request.lastName}`;
  return (
    <span className="js-only inline-flex flex-wrap justify-end gap-2">
      <Button size="small" look="danger" aria-label={`Confirm ${of}`} onClick={() => onDecide("confirm", request)}>
        Confirm
      </Button>
      <Button size="small" look="secondary" aria-label={`Decline ${of}`} onClick={() => onDecide("decline", request)}>
        Decline
      </Button>
    </span>
  );
}

/** Every correction that was carried out. */
export const CorrectionTable = ({ rows }: { rows: Manipulation[] }) => (
  <AdminTable
    caption="Corrections, newest first"
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      {
        key: "deal",
        title: "Position",
        cell: (row) => (
          <Two first={<span className="font-medium">{dealText(row)}</span>} second={row.manipulationType === "force_win" ? "Force Win" : "Force Loss"} />
        ),
      },
      { key: "settled", title: "Settled", numeric: true, cell: ({ settledProfit }) => <Profit value={settledProfit} /> },
      {
        key: "market",
        title: "Market result",
        numeric: true,
        cell: ({ marketProfit, marketPrice, symbol }) => <Two first={<Profit value={marketProfit} />} second={`at ${priceOf(marketPrice, symbol)}`} />,
      },
      {
        key: "impact",
        title: "Impact",
        numeric: true,
        cell: ({ impact, againstClient }) => (
          <Two first={resultText(impact)} second={againstClient ? <span className="text-loss">against the client</span> : ""} />
        ),
      },
      {
        key: "reason",
        title: "Reason",
        roomy: true,
        cell: ({ reason, disputedAt }) => (
          <Two first={words(reason)} second={disputedAt ? <span className="text-warn">{`Disputed ${minute(disputedAt)}`}</span> : ""} />
        ),
      },
      { key: "by", title: "By", cell: ({ administrator, createdAt }) => <Two first={administrator} second={minute(createdAt)} /> },
    ]}
  />
);

/** What traders object to. */
export const DisputeTable = ({ rows }: { rows: Dispute[] }) => (
  <AdminTable
    caption="Disputed corrections, newest first"
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      {
        key: "deal",
        title: "Position",
        cell: (row) => <Two first={<span className="font-medium">{dealText(row)}</span>} second={<Copyable text={row.positionId} what="Position ID" />} />,
      },
      {
        key: "settled",
        title: "Settled and market",
        numeric: true,
        cell: ({ settledProfit, marketProfit }) => <Two first={<Profit value={settledProfit} />} second={`market ${resultText(marketProfit)}`} />,
      },
      { key: "reason", title: "Reason given", roomy: true, cell: ({ reason, administrator }) => <Two first={words(reason)} second={administrator} /> },
      { key: "message", title: "The trader says", roomy: true, cell: ({ message, createdAt }) => <Two first={words(message)} second={minute(createdAt)} /> },
    ]}
  />
);
