import type { ReactNode } from "react";
import { TradeControlPage } from "../../views/admin/TradeControlPage";
import { tradeViewOf } from "../../views/admin/trade_words";
import { queryOf } from "../lib/fit";
import type { House, Me } from "../platform/house";
import { correctionRequestsOf, disputesOf, manipulationsOf, staffPositionsOf } from "../trading/queries_corrections";
import { manipulations } from "../trading/schema_corrections";
import type { Trading } from "../trading/trading";

/** Rows of a page; positions are priced anew at each look. */
const ROWS = 50;

/** The Trade Control tab, as its address asks for it. */
export async function tradeControl({ sql, config }: House, trading: Trading, asked: URLSearchParams, me: Me): Promise<ReactNode> {
  const { q, cursor } = queryOf(manipulations.query, asked);
  const search = { q, limit: ROWS, ...(cursor ? { cursor } : {}) };
  const view = tradeViewOf(asked.get("status"));
  const board = trading.board();
  const lists = {
    positions: async () => ({ view: "positions" as const, rows: await staffPositionsOf(sql, { ...search, status: "open" }, board) }),
    waiting: async () => ({ view: "waiting" as const, rows: await correctionRequestsOf(sql, { ...search, status: "pending" }, board) }),
    corrections: async () => ({ view: "corrections" as const, rows: await manipulationsOf(sql, search) }),
    disputes: async () => ({ view: "disputes" as const, rows: await disputesOf(sql, search) }),
  };
  return (
    <TradeControlPage
      list={await lists[view]()}
      query={{ ...search, limit: String(ROWS) }}
      me={{ id: me.id, name: `${me.firstName} ${me.lastName}` }}
      fourEyes={config.adverseCorrections === "four-eyes"}
    />
  );
}
