import type { Evidence, EvidenceTick } from "../../src/trading/schema_evidence";
import type { Fill } from "../../src/trading/schema";
import { dealPrice, digitsOf, sideWord } from "../../src/trading/rules_prices";
import { displayMoney, displayPrice } from "../../src/lib/money";
import { instantText } from "../ui/instant";
import { addressOf, type ListQuery, panelTab } from "../ui/staff/address";
import { FillCard } from "./ReceiptPage";

/** What an objection is judged by: what the market did in the minute around the closing, and the receipt. */
export function EvidencePanel({ evidence: { receipt, ticks }, query }: { evidence: Evidence; query: ListQuery }) {
  const { position, fills, accountNumber } = receipt;
  const closing = fills.find(({ kind }) => kind === "close");
  return (
    <section aria-label="Ticks and receipt" className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-product font-semibold [overflow-wrap:anywhere]">
          {`${sideWord(position.type)} ${position.symbol} ${displayMoney(position.amount)}, ${accountNumber}`}
          <span className="block text-note font-normal text-soft">{position.id}</span>
        </h2>
        <a
          href={addressOf(panelTab("trades"), { ...query, status: "disputes" })}
          className="inline-flex min-h-11 items-center text-table text-accent underline-offset-4 hover:underline md:min-h-8"
        >
          Close
        </a>
      </div>
      {closing && ticks.length > 1 ? (
        <TickChart ticks={ticks} fill={closing} symbol={position.symbol} />
      ) : (
        <p className="text-table text-soft">
          The ticks of that minute are not kept any more, or were never recorded: the receipt has the one that it was filled on.
        </p>
      )}
      <div className="grid gap-3 xl:grid-cols-2">
        {fills.map((fill) => (
          <FillCard key={fill.kind} fill={fill} symbol={position.symbol} forStaff />
        ))}
      </div>
    </section>
  );
}

const WIDTH = 1000;
const HEIGHT = 160;

/** The market's bid and ask as steps, and the fill as a mark at its tick. */
function TickChart({ ticks, fill, symbol }: { ticks: EvidenceTick[]; fill: Fill; symbol: string }) {
  const at = Date.parse(fill.quoteTime);
  const [from, to] = [at - 30_000, at + 30_000];
  const prices = [...ticks.flatMap(({ bid, ask }) => [Number(bid), Number(ask)]), Number(fill.price)];
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (time: number) => (((time - from) / (to - from)) * WIDTH).toFixed(1);
  const y = (price: number) => (high === low ? HEIGHT / 2 : 6 + ((high - price) / (high - low)) * (HEIGHT - 12)).toFixed(1);
  const steps = (side: "bid" | "ask") =>
    ticks.map((tick, n) => (n === 0 ? `M${x(Date.parse(tick.at))} ${y(Number(tick[side]))}` : `H${x(Date.parse(tick.at))}V${y(Number(tick[side]))}`)).join("");
  const digits = digitsOf(symbol);
  const text = (price: number) => displayPrice(price.toFixed(8), digits);
  return (
    <figure className="flex flex-col gap-1">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
        role="img"
        aria-label={`${ticks.length} ticks of ${symbol} in the minute around the fill, from ${text(low)} to ${text(high)}`}
      >
        <path d={`M${x(at)} 0V${HEIGHT}`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
        <path d={steps("ask")} fill="none" className="stroke-loss" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
        <path d={steps("bid")} fill="none" className="stroke-accent" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
        <path d={`M0 ${y(Number(fill.price))}H${WIDTH}`} className="stroke-ink" strokeWidth="1" strokeDasharray="4 4" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-note tabular-nums text-soft">
        <span>{instantText(new Date(from).toISOString()).slice(11)} UTC</span>
        <span>
          <span className="text-loss">ask</span>, <span className="text-accent">bid</span>, between {text(low)} and {text(high)}; dashed: filled at{" "}
          {dealPrice(fill.price, symbol)} on tick {fill.quoteId}
        </span>
        <span>{instantText(new Date(to).toISOString()).slice(11)} UTC</span>
      </figcaption>
    </figure>
  );
}
