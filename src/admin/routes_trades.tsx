import * as v from "valibot";
import type { ReactNode } from "react";
import { TradeControlPage } from "../../views/trading/TradeControlPage";
import { tradeViewOf } from "../../views/trading/staff_words";
import { queryOf } from "../lib/fit";
import { id as idShape } from "../lib/shapes";
import type { AppContext, Me } from "../platform/app_context";
import { correctionRequestsOf, disputesOf, manipulationsOf } from "../trading/queries_corrections";
import { evidenceOf } from "../trading/queries_evidence";
import { exceptionsOf } from "../trading/queries_exceptions";
import { staffPositionsOf } from "../trading/queries_staff";
import { manipulations, staffPositions } from "../trading/schema_corrections";
import { listExceptions } from "../trading/schema_exceptions";
import type { Trading } from "../trading/trading";
import { besideOf } from "./queries_queues";

/** Rows of a page; positions are priced anew at each look. */
const ROWS = 50;

/** The Trade Control tab, as its address asks for it. */
export async function tradeControl({ sql, config }: AppContext, trading: Trading, asked: URLSearchParams, me: Me): Promise<ReactNode> {
  const view = tradeViewOf(asked.get("status"));
  const rest = new URLSearchParams(asked);
  rest.delete("status");
  const { q, cursor, sort, symbol, account, side, userId, from, to } = queryOf(staffPositions.query, rest);
  const { sort: order } = queryOf(manipulations.query, rest);
  const search = { q, limit: ROWS, from, to, ...(cursor ? { cursor } : {}) };
  // Who has waited longest comes first.
  const ordered = { ...search, sort: (view === "waiting" || view === "disputes") && !asked.has("sort") ? ("created" as const) : order };
  const { sort: byDay, day, review } = queryOf(listExceptions.query, rest);
  const daily = { sort: byDay, review, ...(day ? { from: day, to: day } : {}) };
  const narrowed = { sort, symbol, account, side, ...(userId ? { userId } : {}) };
  const board = trading.board();
  const lists = {
    positions: async () => ({ view: "positions" as const, rows: await staffPositionsOf(sql, { by: me.id, ...search, ...narrowed, status: "open" }, board) }),
    waiting: async () => ({ view: "waiting" as const, rows: await correctionRequestsOf(sql, { ...ordered, status: "pending" }, board) }),
    corrections: async () => ({ view: "corrections" as const, rows: await manipulationsOf(sql, ordered) }),
    exceptions: async () => ({ view: "exceptions" as const, rows: await exceptionsOf(sql, { ...search, ...daily }) }),
    disputes: async () => ({ view: "disputes" as const, rows: await disputesOf(sql, ordered) }),
  };
  const judged = asked.get("evidence");
  const [list, exposure, evidence, beside] = await Promise.all([
    lists[view](),
    view === "positions" ? trading.held(account).then((held) => ({ ...held, account })) : null,
    view === "disputes" && v.is(idShape, judged) ? evidenceOf(sql, judged) : null,
    besideOf(sql, me.id, "trades"),
  ]);
  return (
    <TradeControlPage
      list={list}
      query={{ ...search, ...(view === "positions" ? narrowed : view === "exceptions" ? daily : { sort: ordered.sort }), limit: String(ROWS) }}
      exposure={exposure}
      evidence={evidence}
      {...beside}
      me={{ id: me.id, name: `${me.firstName} ${me.lastName}` }}
      fourEyes={config.adverseCorrections === "four-eyes"}
      secondFrom={config.correctionsAloneUpTo}
    />
  );
}
