import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { pipsText } from "../../src/lib/quote_text";
import { instrumentOf } from "../../src/market/rules_listed";
import { isOffered } from "../../src/market/rules_terms";
import { getSpreads, type PairSpread, type Width } from "../../src/trading/schema_spreads";
import { Field } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { EmptyState } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { inOrder } from "../runtime/in_order";
import { island } from "../runtime/island";
import { relisted } from "../runtime/listed";
import { accountNow, useTradingStore } from "../runtime/trading_store";
import { call } from "../wire/api";

const nameOf = (symbol: string) => instrumentOf(symbol)?.name ?? "";
const width = ({ pips, fixed }: Width) => (fixed ? `${pipsText(pips)}, fixed` : `from ${pipsText(pips)}`);
const at = (iso: string) => `${instantText(iso).slice(0, 16)} UTC`;
const held = (until: string | null) => (until ? `What is open by then follows at ${at(until)}.` : null);

const Soft = ({ children }: { children: string | null }) => (children ? <span className="block text-note text-soft">{children}</span> : null);

const COLUMNS: Column<PairSpread>[] = [
  {
    key: "pair",
    title: "Pair",
    lead: true,
    cell: ({ symbol }) => (
      <span>
        {symbol}
        <Soft>{nameOf(symbol)}</Soft>
      </span>
    ),
  },
  {
    key: "spread",
    title: "Spread",
    numeric: true,
    cell: ({ heldUntil, ...spread }) => (
      <span className="text-right">
        {width(spread)}
        <Soft>{heldUntil && `What was open before follows at ${at(heldUntil)}.`}</Soft>
      </span>
    ),
  },
  {
    key: "later",
    title: "Later",
    numeric: true,
    cell: ({ later }) =>
      later.length === 0 ? null : (
        <span className="text-right">
          {later.map((each) => (
            <span key={each.since} className="block">
              {`${at(each.since)}: ${width(each)}`}
              <Soft>{held(each.heldUntil)}</Soft>
            </span>
          ))}
        </span>
      ),
  },
];

/** An account's spreads by pair, fetched again when the stream tells that an instrument, or the account's group or its version, is another by now. */
function useSpreads(given: TradingAccount, first: PairSpread[]): PairSpread[] {
  const here = useTradingStore({ accounts: [given] });
  const { accountType, version, held: before } = accountNow(given, here);
  const now = JSON.stringify([relisted.value, accountType, version, before]);
  const shown = useRef(now);
  const [spreads, setSpreads] = useState(first);
  const [take] = useState(inOrder);
  useEffect(() => {
    if (shown.current === now) return;
    shown.current = now;
    take(() => call(getSpreads, undefined, { params: { id: given.id } }), setSpreads).catch((error: unknown) =>
      console.warn("the spreads could not be looked at anew", error),
    );
  }, [given.id, now, take]);
  return spreads;
}

/** An account's spreads by pair, and what is decided for later. Without scripts all of them stand there. */
export function SpreadList({ account, spreads: first }: { account: TradingAccount; spreads: PairSpread[] }) {
  useSignals();
  const spreads = useSpreads(account, first);
  const [search, setSearch] = useState("");
  const asked = search.trim().toUpperCase();
  const shown = spreads.filter(({ symbol }) => {
    const listed = instrumentOf(symbol);
    return listed !== undefined && isOffered(listed) && `${symbol} ${symbol.replace("/", "")} ${nameOf(symbol)}`.toUpperCase().includes(asked);
  });
  return (
    <div className="flex flex-col gap-3">
      <div className="js-only max-w-sm">
        <Field id="spread-search" type="search" label="Search" autoComplete="off" value={search} onChange={(event) => setSearch(event.target.value)} />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon="search" title="No pair is called that" />
      ) : (
        <div className="-mx-4">
          <Table caption="Spreads by pair" columns={COLUMNS} rows={shown} rowKey={({ symbol }) => symbol} />
        </div>
      )}
    </div>
  );
}

export default island("SpreadList", SpreadList, { when: "visible" });
