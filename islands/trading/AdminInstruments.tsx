import { useState } from "react";
import { displayMoney } from "../../src/lib/money";
import { may } from "../../src/lib/may";
import {
  listInstruments,
  listInstrumentVersions,
  previewInstrumentSheet,
  type StaffInstrument,
  takeInstrumentSheet,
} from "../../src/trading/schema_instruments";
import { GROUP_WORDS, STATE_WORDS, termsText } from "../../src/trading/rules_instrument_words";
import { Badge } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { Field, SelectField } from "../../views/ui/Field";
import { PartHead } from "../../views/ui/staff/PartHead";
import { EmptyState } from "../../views/ui/States";
import { instantText } from "../../views/ui/instant";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useAsked, useLive } from "../runtime/live_list";
import { SheetDeeds } from "../ui/SheetDeeds";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";

const NewInstrumentDialog = later(() => import("./NewInstrumentDialog"));
const SheetDialog = later(() => import("../ui/SheetDialog"));
const InstrumentDialog = later(() => import("./InstrumentDialog"));

type Asked = { deed: "new" | "sheet" } | { deed: "change" | "versions"; row: StaffInstrument };
const TONES = { tradable: "gain", close_only: "warning", shown: "secondary", hidden: "secondary" } as const;

/** How each instrument is dealt, found by symbol or name and by state, and the ways to change it. */
export function AdminInstruments({ instruments }: { instruments: StaffInstrument[] }) {
  const { value } = useLive(instruments, () => call(listInstruments), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const mayChange = may("instruments.change");
  const [search, setSearch] = useState("");
  const [state, setState] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = value.filter(
    (row) =>
      (state === "" || row.state === state) && [row.symbol, row.symbol.replace("/", ""), row.listing.name].some((name) => name.toLowerCase().includes(wanted)),
  );
  const money = (key: "minimum" | "maximum" | "clientLimit", title: string): Column<StaffInstrument> => ({
    key,
    title,
    numeric: true,
    cell: (row) => (row[key] === null ? null : displayMoney(row[key])),
  });
  const columns: Column<StaffInstrument>[] = [
    { key: "symbol", title: "Instrument", lead: true, cell: ({ symbol }) => symbol },
    { key: "group", title: "Class", cell: ({ group }) => GROUP_WORDS[group] ?? group },
    {
      key: "state",
      title: "State",
      cell: ({ state: now, coming, appliesAt }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={TONES[now]}>{STATE_WORDS[now]}</Badge>
          {coming ? <span className="text-note text-soft">{`From ${instantText(coming.effectiveAt)} UTC: ${termsText(coming)}`}</span> : null}
          {appliesAt ? <span className="text-note text-soft">{`What was open before takes its mark-up from ${instantText(appliesAt)} UTC on.`}</span> : null}
        </span>
      ),
    },
    money("minimum", "Smallest order"),
    money("maximum", "Largest order"),
    { key: "margin", title: "Margin at least", numeric: true, cell: marginRange },
    money("clientLimit", "One person at most"),
    { key: "open", title: "Open, waiting", numeric: true, cell: ({ openPositions, waitingOrders }) => `${openPositions}, ${waitingOrders}` },
    {
      key: "deed",
      title: "Actions",
      numeric: true,
      cell: (row) => (
        <VersionedDeeds
          of={row.symbol}
          onChange={mayChange ? () => ask({ deed: "change", row }) : null}
          onVersions={row.version > 0 ? () => ask({ deed: "versions", row }) : null}
        />
      ),
    },
  ];
  return (
    <section aria-labelledby="instruments">
      <PartHead
        id="instruments"
        title="Instruments"
        lead="Orders are filled by the terms in force at that moment, and receipts keep them. Closing is never refused. What clients hold in sum is bounded under Trade Control."
      >
        <span className="flex flex-wrap items-center gap-2">
          <SheetDeeds href="/api/admin/instruments?format=csv" onTake={mayChange ? () => ask({ deed: "sheet" }) : null} />
          {mayChange ? (
            <Button variant="secondary" size="small" className="js-only" onClick={() => ask({ deed: "new" })}>
              New instrument
            </Button>
          ) : null}
        </span>
      </PartHead>
      <div className="js-only mb-2 grid max-w-xl grid-cols-[3fr_2fr] gap-4">
        <Field id="instrument-search" type="search" label="Search" value={search} onChange={(event) => setSearch(event.target.value)} autoComplete="off" />
        <SelectField id="instrument-state" label="State" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">All</option>
          {Object.entries(STATE_WORDS).map(([id, words]) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title="No instrument is like that"
          action={
            <Button
              variant="secondary"
              onClick={() => {
                setSearch("");
                setState("");
              }}
            >
              Show all
            </Button>
          }
        />
      ) : (
        <div className="md:overflow-x-auto">
          <Table caption="Instruments" columns={columns} rows={found} rowKey={({ symbol }) => symbol} />
        </div>
      )}
      {asked?.deed === "new" ? <NewInstrumentDialog onClose={close} /> : null}
      {asked?.deed === "sheet" ? (
        <SheetDialog
          one="instrument"
          many="instruments"
          preview={(body) => call(previewInstrumentSheet, body)}
          take={(body) => call(takeInstrumentSheet, body)}
          onClose={close}
        />
      ) : null}
      {asked?.deed === "change" ? <InstrumentDialog row={asked.row} onClose={close} /> : null}
      {asked?.deed === "versions" ? <InstrumentVersions row={asked.row} onClose={close} /> : null}
    </section>
  );
}

const InstrumentVersions = ({ row: { symbol }, onClose }: { row: StaffInstrument; onClose: () => void }) => (
  <VersionsDialog
    id="instrument-versions"
    of={symbol}
    ask={() => call(listInstrumentVersions, undefined, { params: { symbol } })}
    said={termsText}
    made={({ isReplaced, effectiveAt, appliesAt, administrator, reason }) => {
      const open = appliesAt === null ? "" : `, for what is open from ${instantText(appliesAt)} UTC`;
      return `${isReplaced ? "Replaced before it took effect" : `From ${instantText(effectiveAt)} UTC${open}`}, by ${administrator}: ${reason}`;
    }}
    onClose={onClose}
  />
);

/** The least margin, or from what to what it rises with the size of an order. */
function marginRange({ marginPercent, marginSteps }: StaffInstrument): string | null {
  const most = marginSteps?.at(-1);
  if (!most) return marginPercent === null ? null : `${Number(marginPercent)}%`;
  return `${Number(marginPercent ?? 0)} to ${Number(most.percent)}%`;
}

export default island("AdminInstruments", AdminInstruments);
