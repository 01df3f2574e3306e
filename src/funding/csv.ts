import { cursorOf } from "../lib/cursor";
import type { Market } from "../market/market";
import { csvFile, type Sheet } from "../platform/http/csv";
import type { Db } from "../platform/database/db";
import { usdRates } from "./commands";
import { staffDeposits, staffWithdrawals } from "./queries";
import type { RequestOrder, StaffDeposit, StaffWithdrawal, Transaction } from "./schema";

/** Transactions as a file. `pageAfter` reads on after the line of that id. */
export const csvOf = (pageAfter: (cursor: string | undefined, limit: number) => Promise<Transaction[]>): Response =>
  csvFile<Transaction>({
    name: "transactions",
    most: 10_000,
    columns: [
      ["Date (UTC)", (t) => t.createdAt],
      ["Type", (t) => t.type],
      ["Account", (t) => t.account],
      ["Description", (t) => t.description],
      ["Amount", (t) => t.amount],
      ["Currency", (t) => t.currency],
      ["Status", (t) => t.status],
      ["Balance after", (t) => t.balanceAfter],
    ],
    rowsAfter: (last, limit) => pageAfter(last?.id, limit),
  });

type Search = { q: string; status: string; sort: RequestOrder; from?: string; to?: string };
const MOST = 100_000;

const asked: Sheet<StaffDeposit | StaffWithdrawal>["columns"] = [
  ["ID", (r) => r.id],
  ["Asked (UTC)", (r) => r.createdAt],
  ["Client", (r) => `${r.firstName} ${r.lastName}`],
  ["Email", (r) => r.email],
  ["Amount", (r) => r.amount],
  ["Currency", (r) => r.currency],
  ["Method", (r) => r.method],
  ["Network", (r) => r.network],
  ["Address", (r) => r.walletAddress],
  ["Transaction hash", (r) => r.transactionHash],
  ["Status", (r) => r.status],
];
const decided: Sheet<StaffDeposit | StaffWithdrawal>["columns"] = [
  ["Decided by", (r) => r.decidedBy],
  ["Rejection reason", (r) => r.rejectionReason],
  ["Staff notes", (r) => r.adminNotes],
];

/** The queue of deposits as a file, in the order that is asked for. */
export const depositsFile = (sql: Db, market: Market, search: Search): Response =>
  csvFile<StaffDeposit>({
    name: "deposits",
    most: MOST,
    columns: [
      ...asked,
      ["Credited (USD)", (d) => d.credited],
      ["Bonus (USD)", (d) => d.bonusApplied],
      ["Sender's note", (d) => d.notes],
      ["Decided (UTC)", (d) => d.completedAt],
      ...decided,
    ],
    rowsAfter: (last, limit) => staffDeposits(sql, { ...search, limit, cursor: last && cursorOf(last) }, usdRates(market)),
  });

/** The queue of withdrawals as a file. */
export const withdrawalsFile = (sql: Db, search: Search): Response =>
  csvFile<StaffWithdrawal>({
    name: "withdrawals",
    most: MOST,
    columns: [...asked, ["Decided (UTC)", (w) => w.processedAt], ...decided],
    rowsAfter: (last, limit) => staffWithdrawals(sql, { ...search, limit, cursor: last && cursorOf(last) }),
  });
