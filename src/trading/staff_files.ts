import { cursorOf } from "../lib/cursor";
import { csvFile } from "../platform/http/csv";
import type { Db } from "../platform/database/db";
import { correctionRequestsOf, disputesOf, manipulationsOf } from "./queries_corrections";
import { exceptionsOf } from "./queries_exceptions";
import { staffPositionsOf } from "./queries_staff";
import type { CorrectionRequest, Dispute, Manipulation, StaffPosition } from "./schema_corrections";
import type { Exception } from "./schema_exceptions";
import type { Trading } from "./trading";

/** The lists of Trade Control as files for a spreadsheet. */

/** Rows of a file, at most. */
const MOST = 100_000;

type Asked<F extends (sql: Db, search: never, ...rest: never[]) => unknown> = Omit<Parameters<F>[1], "limit" | "cursor">;

export const positionsFile = (sql: Db, trading: Trading, search: Asked<typeof staffPositionsOf>) =>
  csvFile<StaffPosition>({
    name: "positions",
    most: MOST,
    columns: [
      ["ID", (p) => p.id],
      ["Client", (p) => `${p.firstName} ${p.lastName}`],
      ["Email", (p) => p.email],
      ["Account", (p) => p.accountNumber],
      ["Kind", (p) => (p.isDemo ? "demo" : "live")],
      ["Symbol", (p) => p.symbol],
      ["Side", (p) => p.type],
      ["Amount (USD)", (p) => p.amount],
      ["Open price", (p) => p.openPrice],
      ["Current price", (p) => p.currentPrice],
      ["Floating result (USD)", (p) => p.profit],
      ["Stop loss", (p) => p.stopLoss],
      ["Take profit", (p) => p.takeProfit],
      ["Opened (UTC)", (p) => p.openedAt],
    ],
    rowsAfter: (last, limit) => staffPositionsOf(sql, { ...search, limit, cursor: last && cursorOf(last) }, trading.board()),
  });

type Deal = Pick<Manipulation, "positionId" | "createdAt" | "firstName" | "lastName" | "email" | "accountNumber" | "isDemo" | "symbol" | "type" | "amount">;
type Columns<Row> = [title: string, value: (row: Row) => string | null][];

/** Which position a row is about, and whose. */
const dealt = <Row extends Deal>(): Columns<Row> => [
  ["Position ID", (c) => c.positionId],
  ["Time (UTC)", (c) => c.createdAt],
  ["Client", (c) => `${c.firstName} ${c.lastName}`],
  ["Email", (c) => c.email],
  ["Account", (c) => c.accountNumber],
  ["Kind", (c) => (c.isDemo ? "demo" : "live")],
  ["Symbol", (c) => c.symbol],
  ["Side", (c) => c.type],
  ["Amount (USD)", (c) => c.amount],
];

export const correctionsFile = (sql: Db, search: Asked<typeof manipulationsOf>) =>
  csvFile<Manipulation>({
    name: "corrections",
    most: MOST,
    columns: [
      ...dealt<Manipulation>(),
      ["Settled result (USD)", (c) => c.settledProfit],
      ["Market result (USD)", (c) => c.marketProfit],
      ["Impact (USD)", (c) => c.impact],
      ["Against the client", (c) => (c.againstClient ? "yes" : "no")],
      ["Reason", (c) => c.reason],
      ["Administrator", (c) => c.administrator],
      ["Confirmed by", (c) => c.confirmedBy],
      ["Disputed (UTC)", (c) => c.disputedAt],
    ],
    rowsAfter: (last, limit) => manipulationsOf(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });

/** Corrections that need a second administrator. */
export const requestsFile = (sql: Db, trading: Trading, search: Asked<typeof correctionRequestsOf>) =>
  csvFile<CorrectionRequest>({
    name: "second-approvals",
    most: MOST,
    columns: [
      ...dealt<CorrectionRequest>(),
      ["Status", (c) => c.status],
      ["Would settle at (USD)", (c) => c.settledProfit],
      ["Market result when asked (USD)", (c) => c.marketProfit],
      ["Market result now (USD)", (c) => c.marketNow],
      ["Reason", (c) => c.reason],
      ["Asked by", (c) => c.administrator],
      ["Decided by", (c) => c.decidedBy],
      ["Decision's reason", (c) => c.decisionReason],
      ["Decided (UTC)", (c) => c.decidedAt],
    ],
    rowsAfter: (last, limit) => correctionRequestsOf(sql, { ...search, limit, cursor: last && cursorOf(last) }, trading.board()),
  });

export const disputesFile = (sql: Db, search: Asked<typeof disputesOf>) =>
  csvFile<Dispute>({
    name: "disputes",
    most: MOST,
    columns: [
      ...dealt<Dispute>(),
      ["Settled result (USD)", (d) => d.settledProfit],
      ["Market result (USD)", (d) => d.marketProfit],
      ["Reason given", (d) => d.reason],
      ["Administrator", (d) => d.administrator],
      ["The trader says", (d) => d.message],
      ["Ticket ID", (d) => d.ticketId],
    ],
    rowsAfter: (last, limit) => disputesOf(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });

export const exceptionsFile = (sql: Db, search: Asked<typeof exceptionsOf>) =>
  csvFile<Exception>({
    name: "exceptions",
    most: MOST,
    columns: [
      ...dealt<Exception>(),
      ["What", (e) => e.kind],
      ["Why", (e) => e.reasons.join(" ")],
      ["Price", (e) => e.price],
      ["Lowest explained", (e) => e.low],
      ["Highest explained", (e) => e.high],
      ["Age of the tick (ms)", (e) => (e.quoteAgeMs === null ? null : String(e.quoteAgeMs))],
      ["Slippage (0.01 %)", (e) => e.slippagePoints],
      ["Settled result (USD)", (e) => e.settledProfit],
      ["Market result (USD)", (e) => e.marketProfit],
      ["Reviewed by", (e) => e.reviewedBy],
      ["Note", (e) => e.note],
      ["Reviewed (UTC)", (e) => e.reviewedAt],
    ],
    rowsAfter: (last, limit) => exceptionsOf(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });
