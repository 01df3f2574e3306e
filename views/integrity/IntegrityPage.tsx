import type { ReactNode } from "react";
import { type Figures, type Holding, INTEGRITY_DAYS, type LiabilityDay } from "../../src/integrity/schema";
import { displayMoney } from "../../src/lib/money";
import type { Quality } from "../../src/trading/schema_quality";
import { instantText } from "../ui/instant";
import { SampleMark } from "../ui/SampleMark";

type Props = {
  brand: string;
  demonstration: boolean;
  /** Null before they were first written down. */
  written: { figures: Figures; measuredAt: string } | null;
  days: LiabilityDay[];
  holding: Holding | null;
  referenceSet: string | null;
  feedLabel: string;
  log: LogFacts | null;
};
/** The log as the page names it. `covers`: for each kind of note where the first and the last of its records stand. */
export type LogFacts = { key: string; size: number; covers: Record<string, { first: number; last: number; count: number }> };

const count = (n: number) => n.toLocaleString("en-US");
const NOT_YET = <span className="text-soft">Not enough yet</span>;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(part === whole ? 0 : 3)}%`;

/** What can be checked of this site, and what can't. Every figure was written down by the program, none is computed for the reader. */
export function IntegrityPage({ brand, demonstration, written, days, holding, referenceSet, feedLabel, log }: Props) {
  const figures = written?.figures ?? null;
  return (
    <div className="mx-auto grid w-full max-w-[70rem] grid-cols-1 gap-y-12 px-4 py-10 md:px-6 md:py-16">
      <header>
        <h1 className="max-w-[20ch] text-balance font-serif text-display">Integrity</h1>
        <p className="mt-5 max-w-[38rem] text-[1.1875rem] leading-7 text-soft">
          What {brand} writes into a public log, so that nobody can change it afterwards, and what that log can’t prove.
        </p>
        {demonstration ? (
          <p className="mt-4 max-w-[38rem]">
            <SampleMark>Demonstration</SampleMark> This is a demonstration: its people and their money may be made up, though every figure is counted from what
            the program booked.
          </p>
        ) : null}
        <p className="mt-4 text-table text-soft">
          {written ? (
            <>
              Written down at <time dateTime={written.measuredAt}>{instantText(written.measuredAt)}</time> UTC, every ten minutes; of the last {INTEGRITY_DAYS}{" "}
              days unless it says otherwise.
            </>
          ) : (
            "The figures are being written down for the first time. Please come back in a minute."
          )}
        </p>
      </header>
      {figures ? <Counted figures={figures} {...{ referenceSet, feedLabel, log }} /> : null}
      <Owed {...{ days, holding, log }} />
      <Log log={log} />
      <CannotProve />
    </div>
  );
}

function Counted({ figures, referenceSet, feedLabel, log }: { figures: Figures; referenceSet: string | null; feedLabel: string; log: LogFacts | null }) {
  const { books, quality, stale, losing, payouts, prices } = figures;
  // Openings and ends are noted alike.
  const fills = { kinds: ["fill"], log };
  return (
    <Part id="figures" title="Figures">
      <Figure
        name="The books balance"
        value={
          books.checkedAt === null
            ? NOT_YET
            : books.off === 0
              ? `Yes, ${count(books.entries)} ${books.entries === 1 ? "entry" : "entries"}`
              : `No: ${count(books.off)} off`
        }
        kinds={["day"]}
        log={log}
      >
        {books.checkedAt === null ? "They are being checked. " : `Last checked at ${instantText(books.checkedAt)} UTC. `}
        Once a minute the sum of each book must be nil, each balance what its last posting says, and each new entry’s postings must sum to nil; else payments
        and deals stop. The log holds each closed day’s figures as a hash.
      </Figure>
      {quality.length === 0 ? (
        <Figure name="Slippage" value={NOT_YET} {...fills}>
          How far each fill lay from the price that its trader had seen, better and worse.
        </Figure>
      ) : null}
      {quality.map((book) => (
        <Figure key={String(book.isDemo)} name={`Slippage, ${bookOf(book)}`} value={slippageText(book)} {...fills}>
          Of {count(book.fills)} fills, those whose order named the price that its trader saw: filled at less good a price, at that price, at a better one. The
          average is {averageText(book)}.
        </Figure>
      ))}
      <Figure name="Orders refused for an old price" value={count(stale)}>
        Deals that were asked for while nobody vouched for the price, or while it was more than a second old. They are refused, not filled. The log holds no
        record of what was refused: this is the program’s own count.
      </Figure>
      {quality.map((book) => (
        <Figure
          key={String(book.isDemo)}
          name={`Corrections, ${bookOf(book)}`}
          value={`${count(book.corrections - book.correctionsAgainst)} in clients’ favour, ${count(book.correctionsAgainst)} against`}
          kinds={["correction", "confirmation"]}
          log={log}
        >
          Positions that an administrator settled, by whether the result was better or worse for the client than the market’s. Each is shown to its client for
          ever.
        </Figure>
      ))}
      <Figure name="Live accounts that lost money" value={losing === null ? NOT_YET : `${losing}%`} kinds={["fill"]} log={log}>
        Of all live accounts that closed a position, since the first. With fewer than twenty clients there is no figure: it would say more of single persons
        than of the trade.
      </Figure>
      <Figure name="From request to payout" value={payouts.median === null ? NOT_YET : `${spanText(payouts.median)} at the median`} kinds={["audit"]} log={log}>
        {payouts.late === null ? null : `95 of 100 within ${spanText(payouts.late)}, of ${count(payouts.count)} paid out. `}
        From a withdrawal’s request to its approval by staff; what was rejected or taken back does not count. Each approval is a line of the staff’s book, whose
        newest hash is a record of the log.
      </Figure>
      <References references={figures.references} {...{ referenceSet, feedLabel, log }} />
      <Figure name="Prices were there" value={prices.due === 0 ? NOT_YET : percent(prices.fresh, prices.due)} kinds={["ticks"]} log={log}>
        Once a minute, of the instruments whose market is open, the share for whose price the feed vouched. Minutes in which the program did not run count as
        without.{prices.since ? ` Noted since ${instantText(prices.since)} UTC.` : ""}
      </Figure>
    </Part>
  );
}

function References({
  references,
  referenceSet,
  feedLabel,
  log,
}: {
  references: Figures["references"];
  referenceSet: string | null;
  feedLabel: string;
  log: LogFacts | null;
}) {
  const name = "Distance from an independent feed";
  const how = "Once a minute, for each instrument that both vouch for: how far the middle of our bid and ask lies from the other’s.";
  if (referenceSet === null) return <Figure name={name} value="Not set">{`${how} No such feed is set here.`}</Figure>;
  const known = references.filter(({ reference }) => reference === referenceSet);
  if (known.length === 0) return <Figure name={name} value={NOT_YET}>{`${how} The other is ${feedName(referenceSet)}.`}</Figure>;
  return known.map(({ feed, compared, median, late, worst }) => (
    <Figure key={feed} name={`${name}, ${feedName(referenceSet)}`} value={`${part(median)} at the median`} kinds={["ticks"]} log={log}>
      {how} Of {count(compared)} comparisons 95 of 100 within {part(late)}, the furthest {part(worst)}.{" "}
      {feed === referenceSet
        ? "Our own prices come from the same source, by another connection: this shows what was changed or late on the way, not that the source is right."
        : `Our prices then: ${feed === "simulator" ? "simulated, so they follow no market" : feedLabel.toLowerCase()}.`}
    </Figure>
  ));
}

function Owed({ days, holding, log }: { days: LiabilityDay[]; holding: Holding | null; log: LogFacts | null }) {
  const [newest] = days;
  return (
    <Part id="liabilities" title="What is owed to clients">
      <Figure name="Owed in all" value={newest ? displayMoney(newest.total) : NOT_YET} kinds={["liabilities"]} log={log}>
        {newest ? (
          <>
            At {instantText(newest.takenAt)} UTC: what the ledger holds for clients on live accounts, in wallets, trading accounts and withdrawals that wait. A
            position counts once it is closed. Each client is a leaf of a tree whose root, <code className="break-all text-note">{newest.root}</code>, is a
            record of the log; its {count(newest.size)} leaves are salted, in random order, and mostly padding.
          </>
        ) : (
          "Once a day a tree over what is owed to each client is built, and its root written into the log."
        )}{" "}
        <a href="/integrity/mine" className={LINK}>
          Check that you are in it
        </a>
      </Figure>
      <Figure
        name="Held, by the operator’s own word"
        value={holding?.amount ? displayMoney(holding.amount) : "Not declared"}
        kinds={holding ? ["audit"] : []}
        log={log}
      >
        {holding ? (
          <>
            Declared at {instantText(holding.declaredAt)} UTC. {holding.evidence}{" "}
            {holding.link ? (
              <a href={holding.link} rel="noopener nofollow" className={LINK}>
                The evidence
              </a>
            ) : null}
          </>
        ) : (
          "What the operator says to hold for clients, and by which evidence. Nothing is declared here."
        )}
      </Figure>
    </Part>
  );
}

const Log = ({ log }: { log: LogFacts | null }) => (
  <Part id="log" title="The log">
    <Figure name="Records" value={log ? count(log.size) : NOT_YET}>
      Of each record the log holds 32 bytes, a commitment that says nothing to others; who has the record can show that it is there.{" "}
      <a href="/log/checkpoint" className={LINK}>
        The newest checkpoint
      </a>
      {" · "}
      <a href="/verify" className={LINK}>
        Check a proof
      </a>
    </Figure>
    {log ? (
      <Figure name="The log’s key" value={<code className="break-all text-table font-normal">{log.key}</code>}>
        Everything that the log signs is signed by it. Note it somewhere else: who has it and an old checkpoint sees any change to what was written before.
      </Figure>
    ) : null}
  </Part>
);

const CannotProve = () => (
  <Part id="limits" title="What none of this proves">
    <ul className="max-w-prose list-disc space-y-3 pl-5 pt-5">
      <li>That prices equal the world’s. The log proves which prices were dealt on, and that they were not changed afterwards.</li>
      <li>That the operator holds what he declares. The evidence is his; the log proves what is owed, and to whom.</li>
      <li>That nobody was left out of what is owed: only the clients themselves can see that, each by his own proof.</li>
      <li>That what people are told in words is true, or that an order which was refused deserved it.</li>
    </ul>
  </Part>
);

const LINK = "inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-0";
const bookOf = ({ isDemo }: Quality) => (isDemo ? "demo accounts" : "live accounts");
const feedName = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
/** A distance in hundredths of a percent, as a percentage. */
const part = (distance: string) => `${(Number(distance) / 100).toLocaleString("en-US", { maximumSignificantDigits: 3 })}%`;

function slippageText({ worse, worseByMore, asRequested, better, betterByMore }: Quality): ReactNode {
  const [loss, gain] = [worse + worseByMore, better + betterByMore];
  if (loss + gain + asRequested === 0) return NOT_YET;
  return `${count(loss)} worse, ${count(asRequested)} as seen, ${count(gain)} better`;
}
function averageText({ averageSlippage }: Quality): string {
  const average = Number(averageSlippage ?? 0);
  return average === 0 ? "nil" : `${(Math.abs(average) / 100).toFixed(5)}% of the price, ${average > 0 ? "against clients" : "in their favour"}`;
}

function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 72 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} className="font-serif text-section">
      {title}
    </h2>
    <div className="mt-6 border-t border-line">{children}</div>
  </section>
);

/** One figure: what it is, how it is computed, and where in the log the records stand that it is counted from. */
function Figure({ name, value, children, kinds = [], log }: { name: string; value: ReactNode; children: ReactNode; kinds?: string[]; log?: LogFacts | null }) {
  const covers = kinds.flatMap((kind) => log?.covers[kind] ?? []);
  const [first, last] = [Math.min(...covers.map((each) => each.first)), Math.max(...covers.map((each) => each.last))];
  const bundle = (index: number) => Math.floor(index / 256);
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-1 border-b border-line py-5 lg:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]" role="group" aria-label={name}>
      <h3 className="text-[0.9375rem] leading-6 text-soft">{name}</h3>
      <div className="min-w-0">
        <p className="text-heading font-semibold tabular-nums [overflow-wrap:anywhere]">{value}</p>
        <p className="mt-1 max-w-prose text-[0.9375rem] leading-6 text-soft">{children}</p>
        {covers.length > 0 && log ? (
          <p className="mt-1 text-table text-soft">
            {first === last ? (
              <>
                1 record, no. {count(first)} of the log:{" "}
                <a href={entriesPath(bundle(first), log.size)} className={LINK}>
                  its commitment
                </a>
              </>
            ) : (
              <>
                {count(covers.reduce((sum, each) => sum + each.count, 0))} records, no. {count(first)} to {count(last)} of the log: commitments from{" "}
                <a href={entriesPath(bundle(first), log.size)} className={LINK}>
                  the first
                </a>{" "}
                to{" "}
                <a href={entriesPath(bundle(last), log.size)} className={LINK}>
                  the last
                </a>
              </>
            )}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** The bundle of entries by its number, partial where the log ends in it. */
function entriesPath(n: number, size: number): string {
  const digits = String(n).padStart(Math.ceil(String(n).length / 3) * 3, "0");
  const path = (digits.match(/\d{3}/g) ?? []).map((group, at, all) => (at < all.length - 1 ? `x${group}` : group)).join("/");
  const width = Math.min(256, size - n * 256);
  return `/log/tile/entries/${path}${width < 256 ? `.p/${width}` : ""}`;
}
