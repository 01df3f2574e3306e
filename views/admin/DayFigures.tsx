import type { ReactNode } from "react";
import { changesBetween, methodName, partName, QUEUES } from "../../src/admin/rules_days";
import { type DayBook, type DayFigures as Figures, type Mover, type PartSum, type Queue, resultParts } from "../../src/admin/schema_days";
import { displayMoney } from "../../src/lib/money";
import { Delta } from "../ui/Price";
import { instantText } from "../ui/instant";
import { Notice } from "../ui/States";
import { waitOf } from "../ui/staff/waits";
import { dayAddress } from "./day_words";

type Props = { book: DayBook; now: number };

/** The figures that count: those written down, where the day is closed. */
const figuresOf = ({ closed, figures }: DayBook): Figures => closed?.figures ?? figures;
const result = (value: string) => <Delta value={displayMoney(value)} />;

/** A day in figures, each of which leads to its lines. */
export function DayFigures({ book, now }: Props) {
  const figures = figuresOf(book);
  const isToday = book.day === book.today;
  return (
    <div className="flex flex-col gap-4">
      {book.closed ? <Changes book={book} /> : null}
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        <Box title="House's result">
          <p className="px-2 text-[1.75rem] font-semibold leading-9" data-figure="house">
            {result(figures.house)}
          </p>
          <p className="px-2 pb-1 text-note text-soft">realised; all of it is in the ledger</p>
          <Sums day={book.day} sums={figures.parts.filter(({ part }) => (resultParts as readonly string[]).includes(part))} nameOf={partName} />
          <Floating book={book} isToday={isToday} />
        </Box>
        <Box title="Clients' money in and out">
          <Money day={book.day} figures={figures} />
        </Box>
        {isToday ? (
          <Box title="What waits now">
            <Queues queues={book.queues} now={now} />
          </Box>
        ) : null}
        <Box title="Clients by result">
          <Movers movers={book.byResult} amounts={["Result"]} cells={({ result: of }) => [result(of)]} empty="No position was closed with a result." />
        </Box>
        <Box title="Clients by money">
          <Movers
            movers={book.byMoney}
            amounts={["In", "Out"]}
            cells={({ moneyIn, moneyOut }) => [displayMoney(moneyIn), displayMoney(moneyOut)]}
            empty="No client paid in or was paid out."
          />
        </Box>
      </div>
    </div>
  );
}

const Box = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="min-w-0 rounded-card border border-line bg-surface px-2 py-1.5">
    <h3 className="px-2 py-1 text-product font-semibold">{title}</h3>
    {children}
  </section>
);

const CELL = "px-1 py-1.5 align-middle sm:px-2 lg:h-10 lg:py-0 lg:leading-4";
const NUMBER = `${CELL} whitespace-nowrap text-right tabular-nums`;
const LINK = "inline-flex min-h-6 items-center text-ink underline-offset-4 hover:underline";

const Head = ({ first, rest }: { first: string; rest: readonly string[] }) => (
  <thead>
    <tr className="border-b border-line text-soft">
      <th scope="col" className="px-1 py-1 text-left font-medium sm:px-2">
        {first}
      </th>
      {rest.map((name) => (
        <th key={name} scope="col" className="px-1 py-1 text-right font-medium sm:px-2">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

type SumProps = { day: string; sums: PartSum[]; nameOf: (sum: PartSum) => string };
const Sums = ({ day, sums, nameOf }: SumProps) => (
  <table className="w-full text-table">
    <caption className="sr-only">What the result is made of</caption>
    <Head first="From" rest={["Lines", "USD"]} />
    <tbody>
      {sums.map((sum) => (
        <tr key={sum.part + sum.method} data-part={sum.part} className="border-b border-line last:border-b-0">
          <th scope="row" className={`${CELL} text-left font-normal`}>
            <a href={dayAddress(day, { part: sum.part })} className={LINK}>
              {nameOf(sum)}
            </a>
          </th>
          <td className={NUMBER}>{sum.count.toLocaleString("en-US")}</td>
          <td className={NUMBER}>{result(sum.amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What is not in the ledger yet: of this moment, of that of the closing, or of the end of a day that is not closed. */
function Floating({ book: { floating, closed }, isToday }: { book: DayBook; isToday: boolean }) {
  const value = closed ? closed.floating : floating;
  return (
    <p className="flex items-start justify-between gap-4 border-t border-line px-2 py-1.5 text-table">
      <span>
        <a href="/admin?tab=trades&account=live" className={LINK}>
          Floating
        </a>
        <span className="block text-note text-soft">{`of clients' open positions, ${closed ? "when the day was closed" : isToday ? "now" : "as the day ended, by its last mid prices and each account's own spread"}`}</span>
      </span>
      <span data-figure="floating">{value === null ? (isToday || closed ? "no price" : "not known: no prices of then are kept") : result(value)}</span>
    </p>
  );
}

function Money({ day, figures: { moneyIn, moneyOut, parts } }: { day: string; figures: Figures }) {
  const rows = parts.filter(({ part }) => part === "in" || part === "out");
  const row = (key: string, name: ReactNode, count: number | null, amount: string) => (
    <tr key={key} data-part={key} className="border-b border-line last:border-b-0">
      <th scope="row" className={`${CELL} text-left ${count === null ? "font-semibold" : "pl-5 font-normal"}`}>
        {name}
      </th>
      <td className={NUMBER}>{count?.toLocaleString("en-US")}</td>
      <td className={`${NUMBER} ${count === null ? "font-semibold" : ""}`}>{displayMoney(amount)}</td>
    </tr>
  );
  const of = (direction: "in" | "out") =>
    rows
      .filter(({ part }) => part === direction)
      .map((sum) =>
        row(
          `${direction}-${sum.method}`,
          <a href={dayAddress(day, { part: direction, method: sum.method ?? "" })} className={LINK}>
            {methodName(sum.method)}
          </a>,
          sum.count,
          sum.amount,
        ),
      );
  const total = (part: "in" | "out", name: string) => (
    <a href={dayAddress(day, { part })} className={LINK}>
      {name}
    </a>
  );
  return (
    <table className="w-full text-table">
      <caption className="sr-only">Money in and out by method</caption>
      <Head first="Method" rest={["Lines", "USD"]} />
      <tbody>
        {row("in", total("in", "In"), null, moneyIn)}
        {of("in")}
        {row("out", total("out", "Out"), null, moneyOut)}
        {of("out")}
      </tbody>
    </table>
  );
}

const Queues = ({ queues, now }: { queues: Queue[]; now: number }) => (
  <table className="w-full text-table">
    <caption className="sr-only">What waits for staff, by queue</caption>
    <Head first="Queue" rest={["Waiting", "Oldest", "Late"]} />
    <tbody>
      {queues.map(({ queue, waiting, oldest, late }) => (
        <tr key={queue} data-queue={queue} className="border-b border-line last:border-b-0">
          <th scope="row" className={`${CELL} text-left font-normal`}>
            <a href={QUEUES[queue].href} className={LINK}>
              {QUEUES[queue].name}
            </a>
          </th>
          <td className={NUMBER}>{waiting.toLocaleString("en-US")}</td>
          <td className={NUMBER}>{oldest ? waitOf(oldest, now).text : "–"}</td>
          <td className={`${CELL} text-right tabular-nums`}>
            {late === null ? <span className="text-soft">no promise</span> : late > 0 ? <b className="text-loss">{late.toLocaleString("en-US")}</b> : 0}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

type MoverProps = { movers: Mover[]; amounts: string[]; cells: (mover: Mover) => ReactNode[]; empty: string };
const Movers = ({ movers, amounts, cells, empty }: MoverProps) =>
  movers.length === 0 ? (
    <p className="px-2 py-1.5 text-table text-soft">{empty}</p>
  ) : (
    <table className="w-full text-table">
      <caption className="sr-only">The clients of whom it moved most</caption>
      <Head first="Client" rest={amounts} />
      <tbody>
        {movers.map((mover) => (
          <tr key={mover.userId} className="border-b border-line last:border-b-0">
            <th scope="row" className={`${CELL} text-left font-normal [overflow-wrap:anywhere]`}>
              <a href={`/admin/users/${mover.userId}`} data-tip={mover.email} className={LINK}>
                {`${mover.firstName} ${mover.lastName}`}
              </a>
            </th>
            {cells(mover).map((cell, n) => (
              <td key={amounts[n]} className={NUMBER}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );

/** That the day is closed, and what is not any more as it was written down then. */
function Changes({ book: { day, closed, figures } }: { book: DayBook }) {
  if (!closed) return null;
  const changes = changesBetween(closed.figures, figures);
  const words = `Closed ${instantText(closed.closedAt)} UTC by ${closed.closedBy}, entry ${closed.entry} of the audit book.`;
  if (changes.length === 0) return <p className="text-table text-soft [overflow-wrap:anywhere]">{words} Nothing has changed since.</p>;
  return (
    <Notice kind="warning" title="Changed since it was closed">
      <p className="[overflow-wrap:anywhere]">
        {words} The figures below are those; since then the ledger says{" "}
        <a href={dayAddress(day, { since: "closing" })} className="text-accent underline underline-offset-4">
          otherwise
        </a>
        :
      </p>
      <ul aria-label="Differences">
        {changes.map(({ name, was, is, by }) => (
          <li key={name}>
            {name}: <span className="whitespace-nowrap">{displayMoney(was, { sign: true })}</span>, now{" "}
            <span className="whitespace-nowrap">{displayMoney(is, { sign: true })}</span> (
            <span className="whitespace-nowrap">{displayMoney(by, { sign: true })}</span>)
          </li>
        ))}
      </ul>
    </Notice>
  );
}
