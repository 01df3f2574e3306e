import type { ReactNode } from "react";
import { add, commissionOf, displayMoney, displayPrice, grouped, subtract } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import { NO_PROOF } from "../../src/proof/schema";
import { fillTermsWords } from "../../src/trading/rules_instruments";
import { CLOSE_REASONS } from "../../src/trading/rules_words";
import { swapTermsText } from "../../src/trading/rules_swap";
import type { ClosedPosition, Correction, Fill, Receipt, SwapNight } from "../../src/trading/schema";
import DisputeButton from "../../islands/trading/DisputeButton";
import PrintButton from "../../islands/ui/PrintButton";
import { Badge, statusTone } from "../ui/Badge";
import { Card } from "../ui/Card";
import { Notice } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { Mode } from "../accounts/AccountSwitcher";
import { instantText } from "../ui/instant";
import { dealPrice, digitsOf, sideWord } from "../../src/trading/rules_prices";
import { Profit } from "../accounts/Profit";
import { Signed, withSigns } from "../ui/Signed";

const UNFILLED: Partial<Record<ClosedPosition["status"], string>> = { pending: "Not filled yet", cancelled: "Never filled" };

/** Every fill of a position with the quote it was made from; made to be printed. */
export function ReceiptPage({ receipt, brand }: { receipt: Receipt; brand: string }) {
  const { position, accountNumber, isDemo, fills, nights, covered, cancelText, marginCall } = receipt;
  return (
    <div className="mx-auto flex w-full max-w-[56rem] flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <p className="text-table text-soft">{brand} receipt</p>
          <h1 className="text-title font-semibold">
            {sideWord(position.type)} {position.symbol}
          </h1>
        </div>
        <div className="no-print flex items-center gap-4">
          <a href="/traders-portal?tab=history#lists" className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
            Back to trade history
          </a>
          <PrintButton />
        </div>
      </div>
      <Card label="Position" className="p-4 md:p-6">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
          <Fact name="Account" wide>
            {accountNumber} <Mode demo={isDemo} />
          </Fact>
          <Fact name="Amount">{displayMoney(position.amount)}</Fact>
          <Fact name="Status">
            <Badge tone={statusTone(position.status)}>{position.status}</Badge>
          </Fact>
          <Fact name="Result">{position.profit ? <Profit value={position.profit} /> : (UNFILLED[position.status] ?? "Still open")}</Fact>
          <Fact name="Position" wide>
            <span className="text-table [overflow-wrap:anywhere]">{position.id}</span>
          </Fact>
        </dl>
      </Card>
      {position.correction ? <CorrectionNotice position={position} correction={position.correction} /> : null}
      {Number(covered) !== 0 ? <Protection profit={position.profit ?? "0.00"} covered={covered} /> : null}
      {position.profit && (position.charges || position.swap) ? <Beside profit={position.profit} position={position} /> : null}
      {marginCall ? (
        <Notice kind="info" title="Margin call before">
          {withSigns(
            `On ${instantText(marginCall.at)} UTC the margin level fell to ${displayPrice(marginCall.level, 2)}%: equity ${displayMoney(marginCall.equity)}, used margin ${displayMoney(marginCall.usedMargin)}.`,
          )}
        </Notice>
      ) : null}
      {fills.length === 0 ? (
        <p className="text-soft">
          {cancelText
            ? `Nothing was filled. ${cancelText}`
            : `Nothing has been filled yet: the order waits for ${position.orderType === "market" ? "the market to open" : "its price"}.`}
        </p>
      ) : null}
      {fills.map((fill) => (
        <FillCard key={fill.kind} fill={fill} symbol={position.symbol} />
      ))}
      {nights.length > 0 ? <Nights nights={nights} /> : null}
      {fills.length > 0 || position.status === "cancelled" ? <Provable id={position.id} fills={fills} /> : null}
      <a href="/execution-quality" className="no-print inline-flex min-h-11 items-center self-start text-accent underline underline-offset-2">
        How all orders are filled: execution quality
      </a>
    </div>
  );
}

/** What the balance moved by beside the result. */
function Beside({ profit, position: { charges, swap } }: { profit: string; position: ClosedPosition }) {
  const parts = [charges && `commission −${displayMoney(charges)}`, swap && `swap ${displayMoney(swap, { sign: true })}`].filter(Boolean).join(", ");
  const together = add(subtract(profit, charges ?? "0.00"), swap ?? "0.00");
  return (
    <Notice kind="info" title="Charges">
      {withSigns(`Beside the result: ${parts}; together ${displayMoney(together, { sign: true })}.`)}
    </Notice>
  );
}

const NIGHTS: Column<SwapNight>[] = [
  { key: "night", title: "17:00 New York of", lead: true, cell: ({ night, nights }) => (nights === 1 ? night : `${night}, three nights`) },
  { key: "held", title: "Held", numeric: true, cell: ({ held }) => displayMoney(held) },
  { key: "terms", title: "Terms", numeric: true, cell: (night) => `${swapTermsText(night)} (${night.groupTerms})` },
  {
    key: "swap",
    title: "Swap",
    numeric: true,
    cell: ({ due, amount, advanced }) => (
      <>
        <Signed value={amount} />
        {due === amount ? null : (
          <span className="block text-note text-soft">
            {`of ${displayMoney(due)}: the account held no more`}
            {advanced === "0.00" ? null : `, the house advanced ${displayMoney(advanced)}, which the account’s next results repay`}
          </span>
        )}
      </>
    ),
  },
];
/** What each night that it was held over moved. */
const Nights = ({ nights }: { nights: SwapNight[] }) => (
  <Card label="Overnight" className="p-4 md:p-6">
    <h2 className="mb-2 text-heading font-semibold">Overnight</h2>
    <Table caption="Swap by night, oldest first" columns={NIGHTS} rows={nights} rowKey={({ night }) => night} />
  </Card>
);

/** Why the balance moved by another amount than the result. */
const Protection = ({ profit, covered }: { profit: string; covered: string }) => (
  <Notice kind="info" title="Negative balance protection">
    {covered.startsWith("-")
      ? `${displayMoney(covered.slice(1))} of this result repaid what the house had advanced for earlier losses or nights. `
      : `The loss was larger than what the account held. The house carries ${displayMoney(covered)} of it, since a balance never ends below zero. `}
    The balance moved by <Signed value={add(profit, covered)} />.
  </Notice>
);

/** Never left out: a settled result stands beside the market's own. */
const CorrectionNotice = ({ position, correction }: { position: ClosedPosition; correction: Correction }) => (
  <Notice kind="warning" title="Settled by administrator">
    <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
      <Fact name="Settled result">
        <Signed value={correction.settledProfit} />
      </Fact>
      <Fact name="Market result">
        <Signed value={correction.marketProfit} />
      </Fact>
      <Fact name="Administrator">{correction.administrator}</Fact>
      <Fact name="Time (UTC)">{instantText(correction.at)}</Fact>
      <Fact name="Reason" wide>
        <span className="whitespace-pre-line [overflow-wrap:anywhere]">{correction.reason}</span>
      </Fact>
    </dl>
    <div className="mt-3">
      <DisputeButton position={{ id: position.id, symbol: position.symbol }} correction={correction} />
    </div>
  </Notice>
);

/** The way to take the proof away and to check it. */
function Provable({ id, fills }: { id: string; fills: Fill[] }) {
  const words = new Set(fills.map(({ proofWord }) => proofWord));
  if (words.has(NO_PROOF.before)) return <Unproven>This was dealt before the public log began, so there is no proof of it.</Unproven>;
  if (words.has(NO_PROOF.unrecorded))
    return (
      <Unproven>
        The price that this was dealt on was not recorded, so there is no proof of it. The months that a demonstration begins with are like that.
      </Unproven>
    );
  const isLost = words.has(NO_PROOF.lost);
  if (isLost && fills.every(({ proof }) => proof === null))
    return <Unproven>The part of the public log that held this is lost, so there is no proof of it any more.</Unproven>;
  return (
    <ProofCard>
      <p className="mt-1 max-w-prose text-soft">
        {isLost
          ? "A part of the public log that held some of this is lost. The proof has what is left, and says what it lacks."
          : provenWords(words.has(NO_PROOF.notYet))}
      </p>
      <p className="flex flex-wrap gap-x-6">
        <a href={`/api/trading/positions/${id}/proof`} download className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
          Download the proof
        </a>
        <a href="/verify" className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
          Verify a proof
        </a>
      </p>
    </ProofCard>
  );
}
const provenWords = (isComing: boolean): string =>
  isComing
    ? "This is being written into the public log, which takes a second. Load the page again to take the proof."
    : "The public log holds these fills, and the quotes beneath them: nobody can change them without being found out. Take the proof with you and check it anywhere, also without us.";
const ProofCard = ({ children }: { children: ReactNode }) => (
  <Card label="Proof" className="no-print p-4 md:p-6">
    <h2 className="text-heading font-semibold">Proof</h2>
    {children}
  </Card>
);
const Unproven = ({ children }: { children: string }) => (
  <ProofCard>
    <p className="mt-1 max-w-prose text-soft">{children}</p>
  </ProofCard>
);

/** A fill with the quote that it was made from. */
export function FillCard({ fill, symbol, forStaff = false }: { fill: Fill; symbol: string; forStaff?: boolean }) {
  const price = (value: string | null) => (value ? dealPrice(value, symbol) : "Not sent");
  const title = fill.kind === "open" ? "Opening fill" : "Closing fill";
  return (
    <Card label={title} className="break-inside-avoid p-4 md:p-6">
      <h2 className="mb-4 text-heading font-semibold">{title}</h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
        <Fact name="Filled at">{price(fill.price)}</Fact>
        <Fact name="Requested price">{price(fill.requestedPrice)}</Fact>
        <Fact name="Slippage">{fill.slippage ? signed(fill.slippage, symbol, forStaff) : "–"}</Fact>
        <Fact name="Time (UTC)">{instantText(fill.at)}</Fact>
        <Fact name="Market bid">{displayPrice(fill.bid, digitsOf(symbol))}</Fact>
        <Fact name="Market ask">{displayPrice(fill.ask, digitsOf(symbol))}</Fact>
        <Fact name="Tier spread">{Number(fill.tierSpreadPips) > 0 ? `${pipsText(fill.tierSpreadPips)}${fill.spreadFixed ? ", fixed" : ""}` : "None"}</Fact>
        <Fact name="Quote">{`No. ${fill.quoteId}`}</Fact>
        <Fact name="Quote time (UTC)">{instantText(fill.quoteTime)}</Fact>
        <Fact name="Quote age">{`${fill.quoteAgeMs} ms`}</Fact>
        <Fact name="Amount">{displayMoney(fill.amount)}</Fact>
        <Fact name="Margin">{displayMoney(fill.margin)}</Fact>
        {Number(fill.held) > 0 ? <Fact name="Held before, same side">{displayMoney(fill.held ?? "")}</Fact> : null}
        {fill.terms ? <Fact name="Instrument’s terms">{fillTermsWords(fill.terms)}</Fact> : null}
        {fill.profit ? (
          <Fact name={fill.reason === "admin" ? "Market result" : "Result"}>
            <Profit value={fill.profit} />
          </Fact>
        ) : null}
        {fill.commission ? <Fact name="Commission">{commissionText(fill, fill.commission)}</Fact> : null}
        {fill.reason ? <Fact name="Reason">{CLOSE_REASONS[fill.reason] ?? fill.reason}</Fact> : null}
        {fill.marginLevel ? <Fact name="Margin level before">{`${displayPrice(fill.marginLevel, 2)}%`}</Fact> : null}
        {fill.equity ? <Fact name="Equity before">{displayMoney(fill.equity)}</Fact> : null}
        {fill.usedMargin ? <Fact name="Used margin before">{displayMoney(fill.usedMargin)}</Fact> : null}
        <Fact name="Public log">{fill.proof ? `Record no. ${grouped(String(fill.proof.index))}` : (fill.proofWord ?? "–")}</Fact>
        <Fact name="Done by">{forStaff && fill.by === "you" ? "the client" : fill.by}</Fact>
      </dl>
    </Card>
  );
}

/** What a side cost, and how that comes about where it was not bounded by what the account had. */
function commissionText({ amount, commissionRate, groupTerms }: Fill, commission: string): string {
  const rate = commissionRate ?? "0";
  return `${displayMoney(commission)} at ${displayMoney(rate)} for each $100,000${commissionOf(amount, rate) === commission ? ", up to the cent" : ""} (${groupTerms})`;
}

/** A price distance against the trader (plus) or in the trader's favour (minus). */
function signed(value: string, symbol: string, forStaff: boolean): string {
  const size = dealPrice(value.replace("-", ""), symbol);
  if (!/[1-9]/.test(size)) return "None";
  return value.startsWith("-") ? `−${size} in ${forStaff ? "the client's" : "your"} favour` : `+${size} against ${forStaff ? "the client" : "you"}`;
}

const Fact = ({ name, children, wide }: { name: string; children: ReactNode; wide?: boolean }) => (
  <div className={wide ? "col-span-full" : ""}>
    <dt className="text-table text-soft">{name}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
  </div>
);
