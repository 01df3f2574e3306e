import { fromBase64, sameBytes } from "../lib/bytes";
import { decimal, decimalText, dollars } from "./rules_decimals";
import { type LiabilityFile, NoProof, type StatementFile } from "./rules_files";
import { owedLeaf, sumRoot } from "./rules_sums";
import { resultOf } from "./rules_verify_deals";
import { includedAs, type Known, placeOf } from "./rules_verify_log";
import { checkNight } from "./rules_verify_nights";
import type { Report } from "./rules_verify_report";
import type { LogRecord } from "./schema";

/** Checks of what concerns a whole account: a month's statement, and what is owed. */

const cents = (money: string) => decimal(money, 2);

/** A closing is booked a moment before its fill is written: it may be of the next month by then. */
const isIn = (month: string, at: string) => [0, 60_000].some((ms) => new Date(Date.parse(at) - ms).toISOString().startsWith(month));

/** Checks a statement's file; the words that head what was found. */
export function checkStatement({ account, month, lines, days, lost = [] }: StatementFile, known: Known, report: Report): string {
  if (lines.length + days.length === 0) throw new NoProof("The file holds no record: nothing was closed in that month.");
  if (lines.length === 0 && account !== "") report.say(false, "The account", "no line of it is here");
  const seen = new Set<string>();
  let closings = 0;
  let nights = 0;
  for (const [n, { amount, proof }] of lines.entries()) {
    const name = `Line ${n + 1}`;
    const { kind } = proof.record;
    const record = includedAs(kind === "swap" || kind === "fill" ? kind : "exit", proof, known, report, name);
    if (!record) continue;
    const { what, moved, isCharge, isRight } = lineOf(record, cents(amount), seen.has(placeOf(proof)));
    const key = `${placeOf(proof)}${isCharge ? " commission" : ""}`;
    const isOwn = record.account === account && isIn(month, record.at) && !seen.has(key);
    if (!isOwn) report.say(false, name, seen.has(key) ? "it stands twice" : "it is another account’s, or another month’s");
    seen.add(key);
    if (record.kind === "swap") {
      nights++;
      checkNight(record, report);
    } else if (!isCharge) closings++;
    const fits = moved === cents(amount) && isRight;
    report.say(fits, `${name}: ${what} moved the balance by ${dollars(amount)}`, `by its record it moved by ${dollars(decimalText(moved, 2))}`);
  }
  for (const proof of days) {
    const day = includedAs("day", proof, known, report, "A day’s closing");
    if (!day) continue;
    const key = placeOf(proof);
    const isOwn = day.day.startsWith(month) && !seen.has(key);
    report.say(isOwn, `The day ${day.day} was closed in the books`, "it is not of this month, or stands twice");
    seen.add(key);
  }
  for (const part of lost) report.skip(`The file says that it lacks ${part} of this month: the part of the log that held them is lost`);
  return `Statement ${month}, ${closings} closings${nights > 0 ? `, ${nights} nights` : ""}`;
}

type Line = { what: string; moved: bigint; isCharge: boolean; isRight: boolean };
/** What a record says of a line: a closing and its commission are two lines of one record, of an opening only its commission is one. */
function lineOf(record: LogRecord<"swap" | "fill" | "exit">, amount: bigint, isClosingSeen: boolean): Line {
  const what = `${record.side} ${record.symbol}`;
  if (record.kind === "swap") return { what: `the night of ${record.night} on ${what}`, moved: cents(record.booked), isCharge: false, isRight: true };
  const taken = "commission" in record ? -cents(record.commission) : 0n;
  const charge = (deed: string): Line => ({ what: `the commission of ${deed} ${what}`, moved: taken, isCharge: true, isRight: taken < 0n });
  if (record.kind === "fill") return charge("opening");
  const moved = cents(record.booked) + cents(record.covered);
  if (taken !== 0n && amount === taken && (amount !== moved || isClosingSeen)) return charge("closing");
  return { what, moved, isCharge: false, isRight: record.reason === "admin" || resultOf(record) === cents(record.booked) };
}

/** Checks that a client is in a day's tree of what is owed; the words that head what was found. */
export function checkLiability({ owed, salt, place, path, root }: LiabilityFile, known: Known, report: Report): string {
  const record = includedAs("liabilities", root, known, report, `The total owed on ${owed.day}`);
  const title = `${dollars(owed.owed)} owed on ${owed.day}`;
  if (!record) return title;
  const leaf = owedLeaf(fromBase64(salt) ?? new Uint8Array(), owed);
  const beside = path.map(({ hash, sum }) => ({ hash: fromBase64(hash) ?? new Uint8Array(), sum }));
  const top = sumRoot(leaf, place, beside);
  const isThere = record.size === 2 ** path.length && place < record.size && sameBytes(top.hash, fromBase64(record.root) ?? new Uint8Array());
  report.say(
    isThere,
    `${dollars(owed.owed)} for client ${owed.client} is in it, as leaf ${place + 1} of ${record.size}`,
    "it is not in the tree as it stands here",
  );
  report.say(
    BigInt(top.sum) === cents(record.total),
    `All leaves together are ${dollars(record.total)}, as the log has it`,
    `they are ${dollars(decimalText(BigInt(top.sum), 2))}`,
  );
  if (owed.day !== record.day) report.say(false, "The day", "the tree is another day’s");
  return title;
}
