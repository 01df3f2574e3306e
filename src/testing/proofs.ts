import { toBase64 } from "../lib/bytes";
import { FORMAT, type LiabilityFile, type PositionFile, type StatementFile, written } from "../proof/rules_files";
import { canonicalBytes } from "../proof/rules_canonical";
import { consistencyProof, type Hash, inclusionProof, leafHash, readerOf, rootOfLeaves } from "../proof/rules_merkle";
import { checkpointText, cosignerOf, signerOf, signNote, verifierText } from "../proof/rules_note";
import { owedLeaf, type SumNode, sumNode } from "../proof/rules_sums";
import { commitmentOf, type LogRecord, type Proof, type Tick, type TickProof } from "../proof/schema";

/** A small log of made-up records, and the files that one takes away from it. The same in each run. */

const bytes = (n: number) => Uint8Array.from({ length: 32 }, (_, at) => (n * 37 + at * 11) % 256);
const ORIGIN = "halyard.test/log";
export const signer = signerOf(ORIGIN, bytes(1));
export const key = verifierText(signer);

const common = { account: "a1b2c3d4-0000-4000-8000-000000000001", demo: true, symbol: "EUR/USD", side: "buy", leverage: 100 };
const terms = { pip: "0.00010000", spreadPips: "3.3", terms: 1 };
const position = "b1b2c3d4-0000-4000-8000-000000000002";

const tickOf = (seq: number, bid: string, ask: string): Tick => {
  const at = new Date(Date.UTC(2026, 10, 20, 12, 0, 0, seq)).toISOString();
  return { v: 1, kind: "tick", seq, symbol: "EUR/USD", source: "simulator", bid, ask, at, receivedAt: at };
};
const ticks = [tickOf(100, "1.10000000", "1.10002000"), tickOf(101, "1.10010000", "1.10012000"), tickOf(102, "1.10300000", "1.10302000")];
const batch: LogRecord<"ticks"> = {
  ...{
    v: 1,
    kind: "ticks",
    source: "simulator",
    first: 100,
    last: 102,
    count: 3,
    symbols: "EUR/USD",
    from: ticks[0]?.receivedAt ?? "",
    to: ticks[2]?.receivedAt ?? "",
  },
  root: toBase64(rootOfLeaves(ticks.map((tick) => leafHash(canonicalBytes(tick))))),
};
const dealtOn = ({ seq, at, bid, ask }: Tick) => ({ tick: seq, tickAt: at, tickAgeMs: 3, bid, ask });
// 3.3 pips round 1.10001: 1.099845 and 1.100175; round 1.10301: 1.102845 and 1.103175.
const fill: LogRecord<"fill"> = {
  ...{ v: 1, kind: "fill", fill: 7, position, ...common, order: "market", amount: "1000.00", margin: "10.00", price: "1.10017500", requested: "1.10016000" },
  ...{
    slippage: "0.00001500",
    slippageBound: "0.00010000",
    trigger: null,
    limit: null,
    ...dealtOn(ticks[0] as Tick),
    ...terms,
    at: "2026-11-20T12:00:00.104Z",
  },
};
const exit: LogRecord<"exit"> = {
  ...{ v: 1, kind: "exit", fill: 8, position, parent: null, opening: 7, ...common, amount: "1000.00", margin: "10.00", openPrice: "1.10017500" },
  ...{ moved: "0", price: "1.10284500", requested: null, slippage: null, profit: "2.43", booked: "2.43", covered: "0.00", reason: "take_profit" },
  ...{ stopLoss: null, takeProfit: "1.10280000", watchedFrom: 100, ...dealtOn(ticks[2] as Tick), ...terms, at: "2026-11-20T12:00:00.110Z" },
};
const termsRecord: LogRecord<"terms"> = {
  ...{
    v: 1,
    kind: "terms",
    version: 1,
    accountTypes: '{"starter":{"spreadPips":"3.3"}}',
    instruments: '{"EUR/USD":{"class":"major","pip":"0.00010000"}}',
    countries: "{}",
  },
  at: "2026-11-20T00:00:00.000Z",
};
const day: LogRecord<"day"> = { v: 1, kind: "day", day: "2026-11-19", figures: toBase64(bytes(5)), audit: 12, at: "2026-11-20T08:00:00.000Z" };
// A night of another position: 1 point below 1.1 is 0.00001, 11,000 × 100 points at 1.1 are 10.00.
const swap: LogRecord<"swap"> = {
  ...{ v: 1, kind: "swap", swap: 3, position: "b1b2c3d4-0000-4000-8000-000000000004", account: common.account, demo: true, symbol: "EUR/USD", side: "buy" },
  ...{ night: "2026-11-18", nights: 3, held: "11000.00", openPrice: "1.10000000", group: "starter", version: 1, unit: "points", rate: "-100.0000" },
  ...{ point: "0.00001000", due: "-30.00", booked: "-30.00", at: "2026-11-18T22:00:01.000Z" },
};

// $150,000 beside $20,000 that were held, where at most 1:50 is allowed, which asks for 2 %: 80,000 at that and 70,000 at 5 % are $5,100, 1:29, of which
// $5,172.42 of margin follow.
const group: LogRecord<"group"> = {
  ...{ v: 1, kind: "group", group: "starter", version: 2, spreadPips: "3.3", spreads: "[]", commission: "0.00", swaps: "[]", swapFreeFee: null, leverage: 500 },
  ...{ minimumDeposit: "100.00", effective: "2026-11-19T00:00:00.000Z", applies: "2026-11-19T00:00:00.000Z", at: "2026-11-19T00:00:00.000Z" },
};
const instrument: LogRecord<"instrument"> = {
  ...{ v: 2, kind: "instrument", symbol: "EUR/USD", version: 4, markup: "0", pip: "0.0001", minimum: null, step: null, maximum: null, marginPercent: "1.00" },
  ...{ marginSteps: '[{"above": "100000.00", "percent": "5.00"}]', effective: "2026-11-19T00:00:00.000Z", applies: "2026-11-20T00:00:00.000Z" },
  at: "2026-11-19T00:00:00.000Z",
};
const countries: LogRecord<"countries"> = {
  ...{ v: 1, kind: "countries", version: 3, rules: '{"DE": {"isServed": true, "leverageMajor": 50, "leverageMinor": 20, "leverageCrypto": 2}}' },
  at: "2026-11-19T00:00:00.000Z",
};
const large: LogRecord<"fill"> = {
  ...fill,
  ...{ v: 5, fill: 9, position: "b1b2c3d4-0000-4000-8000-000000000005", amount: "150000.00", leverage: 29, margin: "5172.42", at: "2026-11-20T12:00:00.106Z" },
  ...{ fixed: false, group: "starter", groupVersion: 2, instrumentVersion: 4, held: "20000.00", own: 100, cap: 50, placed: null },
  ...{ country: "DE", countryVersion: 3 },
};

// What is owed to the client, in a tree of four leaves.
const owed = { v: 1 as const, kind: "owed" as const, day: "2026-11-20", client: "c1b2c3d4-0000-4000-8000-000000000003", owed: "1250.75" };
const others: SumNode[] = [2, 3, 4].map((n) => ({ hash: bytes(n), sum: n === 3 ? 5_000 : 0 }));
const [left, right, last] = others as [SumNode, SumNode, SumNode];
const pair = sumNode(right, last);
const top = sumNode(sumNode(left, owedLeaf(bytes(9), owed)), pair);
const liabilities: LogRecord<"liabilities"> = {
  ...{ v: 1, kind: "liabilities", day: "2026-11-20", total: "1300.75", size: 4, root: toBase64(top.hash), at: "2026-11-20T00:00:02.000Z" },
};

const records: LogRecord[] = [termsRecord, batch, fill, day, exit, liabilities, swap, group, instrument, large, countries];
/** So many records there were when a checkpoint was kept. */
const KEPT = 3;

/** A log of these records, each changed as a test wants it. */
export function logOf(change: (record: LogRecord) => LogRecord = (record) => record) {
  const held = records.map(change);
  const leaves: Hash[] = held.map((record, n) => leafHash(commitmentOf(bytes(20 + n), record)));
  const read = readerOf(leaves);
  const checkpointOf = (size: number) =>
    signNote(checkpointText({ origin: ORIGIN, size, root: rootOfLeaves(leaves.slice(0, size)) }), [signer, cosignerOf(signer)], 1_763_640_000);
  const checkpoint = checkpointOf(held.length);
  const proofOf = (kind: LogRecord["kind"], record = records.find((each) => each.kind === kind)): Proof => {
    const index = record ? records.indexOf(record) : -1;
    const inclusion = inclusionProof(index, held.length, read).map(toBase64);
    return { index, salt: toBase64(bytes(20 + index)), record: held[index] as LogRecord, inclusion, checkpoint };
  };
  const quoteOf = (place: number): TickProof => {
    const path = inclusionProof(place, ticks.length, readerOf(ticks.map((tick) => leafHash(canonicalBytes(tick))))).map(toBase64);
    return { tick: ticks[place] as Tick, place, path, batch: proofOf("ticks") };
  };
  const grew = { size: KEPT, root: toBase64(rootOfLeaves(leaves.slice(0, KEPT))), proof: consistencyProof(KEPT, held.length, read).map(toBase64) };
  const head = { format: FORMAT as typeof FORMAT, keys: [key], grew };
  const files = {
    position: {
      ...head,
      kind: "position" as const,
      opening: { proof: proofOf("fill"), quote: quoteOf(0) },
      closing: { proof: proofOf("exit"), quote: quoteOf(2) },
      others: [proofOf("terms")],
    } satisfies PositionFile,
    margin: {
      ...head,
      kind: "position" as const,
      opening: { proof: proofOf("fill", large), quote: quoteOf(0) },
      closing: null,
      others: [proofOf("group"), proofOf("instrument"), proofOf("countries"), proofOf("terms")],
    } satisfies PositionFile,
    statement: {
      ...head,
      kind: "statement" as const,
      account: common.account,
      month: "2026-11",
      lines: [
        { amount: "2.43", proof: proofOf("exit") },
        { amount: "-30.00", proof: proofOf("swap") },
      ],
      days: [proofOf("day")],
    } satisfies StatementFile,
    liability: {
      ...head,
      kind: "liability" as const,
      owed,
      salt: toBase64(bytes(9)),
      place: 1,
      path: [left, pair].map(({ hash, sum }) => ({ hash: toBase64(hash), sum })),
      root: proofOf("liabilities"),
    } satisfies LiabilityFile,
    proof: proofOf("fill"),
    tick: quoteOf(1),
  };
  return { files, leaves, kept: checkpointOf(KEPT), checkpoint, texts: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, written(file)])) };
}
