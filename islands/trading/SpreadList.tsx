import { useState } from "react";
import { instrumentOf } from "../../src/market/rules_listed";
import { isOffered } from "../../src/market/rules_terms";
import type { PairSpread, Width } from "../../src/trading/schema_spreads";
import { Field } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { EmptyState } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";

const nameOf = (symbol: string) => instrumentOf(symbol)?.name ?? "";
const width = ({ pips, fixed }: Width) => (fixed ? `${pips} pips, fixed` : `from ${pips} pips`);
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

/** An account's spreads by pair, and what is decided for later. Without scripts all of them stand there. */
export function SpreadList({ spreads }: { spreads: PairSpread[] }) {
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
