import { describe, expect, test } from "bun:test";
import { fromBase64, toBase64 } from "../lib/bytes";
import { changeEach } from "../testing/changed_bytes";
import { key, logOf, signer } from "../testing/proofs";
import { canonicalBytes, canonicalJson } from "./rules_canonical";
import { leafHash } from "./rules_merkle";
import { signerOf, signNote, verifierText } from "./rules_note";
import { dollars } from "./rules_decimals";
import { written } from "./rules_files";
import { verify } from "./rules_verify";
import { included } from "./rules_verify_log";
import { Report } from "./rules_verify_report";
import { owedLeaf } from "./rules_sums";
import { commitmentOf, type LogRecord, type Proof } from "./schema";

/** Whoever changes a proof, or what the log holds, is told by the check. */

const log = logOf();
const names = Object.keys(log.files) as (keyof typeof log.files)[];

describe("a proof", () => {
  test.each(names)("of a %s holds, and says what was checked", (name) => {
    const verdict = verify(log.texts[name] ?? "", { key });
    expect([verdict.reason, verdict.holds]).toEqual([null, true]);
    expect(verdict.steps.filter(({ state }) => state === "fails")).toEqual([]);
    expect(verdict.steps.length).toBeGreaterThan(0);
  });

  test("writes money as screens do", () => {
    expect(["-0.33", "0.00", "1234567.50", "-1000.00", "none"].map(dollars)).toEqual(["−$0.33", "$0.00", "$1,234,567.50", "−$1,000.00", "none"]);
  });

  test("says what follows from what, in words", () => {
    const { title, steps } = verify(log.texts.position ?? "", { key });
    expect(title).toBe("BUY EUR/USD, $1,000.00, closed with $2.43");
    const words = steps.map(({ what }) => what).join("\n");
    for (const part of [
      "is record no. 2 of the 11 that the log signed",
      "The opening’s price 1.10017500 follows from the tick, with the account’s spread of 3.3 pips.",
      "$1,000.00 from 1.10017500 to 1.10284500 results in $2.43.",
      "The price had reached the target 1.10280000.",
      "The opening’s slippage from the requested 1.10016000 is 0.00001500.",
    ])
      expect(words).toContain(part);
  });

  test("writes a record's number as receipts do", () => {
    const report = new Report();
    const proof = JSON.parse(log.texts.position ?? "").opening.proof as Proof;
    const known = {
      verifiers: [],
      former: [],
      open: () => ({ origin: "", size: 12_345, root: new Uint8Array(32) }),
      newest: () => null,
      ended: () => [],
      opened: () => [],
    };
    included({ ...proof, index: 4807 }, known, report, "The opening");
    expect(report.end().reason).toStartWith("The opening is record no. 4,807 of the 12,345 that the log signed");
  });

  test("writes a minus as screens do", () => {
    const better = logOf((record) => (record.kind === "fill" ? ({ ...record, requested: "1.10020000", slippage: "-0.00002500" } as LogRecord) : record));
    const words = verify(better.texts.position ?? "", { key }).steps.map(({ what }) => what);
    expect(words).toContain("The opening’s slippage from the requested 1.10020000 is −0.00002500.");
  });

  test("spaces between its parts do not count, and a file of its own key holds with a word about that", () => {
    expect(verify(JSON.stringify(JSON.parse(log.texts.position ?? ""), null, 2)).holds).toBe(true);
    expect(verify(log.texts.position ?? "").steps[0]).toEqual({
      state: "open",
      what: `The key ${signer.keyId} is the file's own: compare it with one that you noted elsewhere.`,
    });
  });
});

test("the files beside the description are these", async () => {
  const read = (name: string) => Bun.file(`${import.meta.dir}/../../docs/proofs/${name}`).text();
  for (const name of ["position", "margin", "statement", "liability"])
    expect(written(JSON.parse(await read(`${name}.json`)) as object)).toBe(log.texts[name] ?? "");
  // And its table has what the records and salts at the places that it names come to.
  const description = await Bun.file(`${import.meta.dir}/../../docs/proof.md`).text();
  const { position, margin, statement, liability } = log.files;
  const owed = toBase64(owedLeaf(fromBase64(liability.salt) as Uint8Array, liability.owed).hash);
  const proofs = { "days[0]": statement.days[0], "lines[1].proof": statement.lines[1]?.proof, "others[2]": margin.others[2] };
  const rows = Object.entries(proofs).map(([place, proof]) => {
    if (!proof) throw new Error(`nothing at ${place}`);
    const entry = commitmentOf(fromBase64(proof.salt) as Uint8Array, proof.record);
    return [place, toBase64(entry), toBase64(leafHash(entry))];
  });
  const lines = description.trimEnd().split("\n");
  for (const told of [...rows, ["opening.quote.tick", toBase64(leafHash(canonicalBytes(position.opening.quote.tick)))], ["owed", owed]])
    expect([told, lines.filter((line) => told.every((text) => line.includes(`\`${text}\``))).length]).toEqual([told, 1]);
  expect(lines).toContain(`\`${canonicalJson(statement.days[0]?.record as LogRecord)}\``);
  // In a hundred lines of ordinary length.
  expect([lines.length <= 100, lines.filter((line) => line.length > 165)]).toEqual([true, []]);
  expect([await read("key"), await read("earlier-checkpoint")]).toEqual([`${key}\n`, log.kept]);
});

test("each byte of each file changed in turn: never 'holds'", () => {
  for (const name of names) changeEach(log.texts[name] ?? "", key);
});

describe("a kept checkpoint", () => {
  test("holds where the log only grew", () => {
    for (const name of ["position", "statement", "liability"] as const) {
      const { holds, steps } = verify(log.texts[name] ?? "", { key, old: log.kept });
      expect(holds).toBe(true);
      expect(steps.at(-1)?.what).toBe("Since your checkpoint of 3 records the log only grew.");
    }
    expect(verify(log.texts.position ?? "", { key, old: log.checkpoint }).holds).toBe(true);
    // As it is copied out of a letter.
    expect(verify(log.texts.position ?? "", { key, old: log.kept.replace("\n\n", "\n").replaceAll("\n", " \r\n") }).holds).toBe(true);
  });

  test("exposes an operator who changes a tick, a fill, terms or a day, and computes all hashes anew", () => {
    const changes: [LogRecord["kind"], object][] = [
      ["fill", { requested: "1.10017500", slippage: "0.00000000" }],
      ["terms", { accountTypes: '{"starter":{"spreadPips":"3.4"}}' }],
      ["ticks", { to: "2026-11-20T12:00:00.999Z" }],
    ];
    for (const [kind, over] of changes) {
      const forged = logOf((record) => (record.kind === kind ? ({ ...record, ...over } as LogRecord) : record));
      const { holds, reason } = verify(forged.texts.statement ?? "", { key, old: log.kept });
      expect([kind, holds, reason]).toEqual([kind, false, "Since your checkpoint of 3 records the log only grew: the log had other records then."]);
    }
  });

  test("of another log, or of a size that the file does not know, is said to be", () => {
    const other = signNote(log.kept.slice(0, log.kept.indexOf("\n\n") + 1), [signerOf("elsewhere.test/log", signer.seed)]);
    expect(verify(log.texts.position ?? "", { key, old: other }).reason).toStartWith("Your kept checkpoint: this log's key did not sign it");
    const ungrown = written({ ...log.files.position, grew: null });
    expect(verify(ungrown, { key, old: log.kept }).reason).toContain("take it again with ?since=3");
  });
});

test("a kept checkpoint of a log that has ended is compared with the file's own of that size, and does not hold by one of another size", () => {
  const second = verifierText(signerOf("halyard.test/log/2", signer.seed));
  const ended = written({ ...log.files.position, grew: null, keys: [second, key] });
  const of = (old: string) => verify(ended, { key: `${second} ${key}`, old });
  expect([of(log.kept).holds, of(log.kept).reason]).toEqual([false, expect.stringContaining("before: nothing in this file shows that; the page /verify")]);
  expect(of(log.checkpoint).steps.at(-1)).toEqual({ state: "holds", what: "Since your checkpoint of 11 records the log only grew." });
  const forged = logOf((record) => (record.kind === "fill" ? ({ ...record, tickAgeMs: 4 } as LogRecord) : record));
  expect(of(forged.checkpoint).reason).toBe(
    "Since your checkpoint of 11 records the log only grew: the log had other records then: its two checkpoints of one size differ.",
  );
});

describe("records that contradict each other fail, though the log holds them", () => {
  const cases: [string, LogRecord["kind"], object, string][] = [
    ["a price beside the tick's", "fill", { price: "1.10027500" }, "The opening’s price 1.10027500"],
    ["a wrong margin", "fill", { margin: "11.00" }, "The opening’s margin"],
    ["a slippage that was made smaller", "fill", { slippage: "0.00000100" }, "The opening’s slippage"],
    ["a fill beyond the allowed slippage", "fill", { slippageBound: "0.00001000" }, "The fill lies within"],
    ["another tick's prices", "fill", { bid: "1.10010000" }, "The opening was dealt on that tick"],
    ["a result a cent too low", "exit", { profit: "2.42", booked: "2.42" }, "$1,000.00 from 1.10017500 to 1.10284500 results in $2.42"],
    ["another booking than the result", "exit", { booked: "2.42" }, "$2.42 was booked"],
    ["a target that was not reached", "exit", { takeProfit: "1.10290000" }, "The price had reached the target 1.10290000"],
    ["a target set after the tick", "exit", { watchedFrom: 103 }, "The target stood when that tick came"],
    ["another opening price", "exit", { openPrice: "1.10018000", profit: "2.42", booked: "2.42" }, "The closing is of the position that was opened"],
    ["a settlement without its record", "exit", { reason: "admin", booked: "1.00" }, "The correction"],
    ["a batch that covers more than a second", "ticks", { from: "2026-11-20T11:59:58.000Z" }, "The opening’s tick’s batch"],
    ["another pip than the terms'", "terms", { instruments: '{"EUR/USD":{"pip":"0.01"}}' }, "The terms of version 1"],
    [
      "less margin than the order's size asks for",
      "terms",
      { instruments: '{"EUR/USD":{"pip":"0.00010000","marginPercent":"2.00","marginSteps":[{"above":"500.00","percent":"5.00"}]}}' },
      "The opening’s leverage of 1:100",
    ],
    ["a spread that the terms do not know", "terms", { accountTypes: '{"starter":{"spreadPips":"2.0"}}' }, "The terms of version 1"],
  ];
  test.each(cases)("%s", (_, kind, over, words) => {
    const forged = logOf((record) => (record.kind === kind ? ({ ...record, ...over } as LogRecord) : record));
    const { holds, reason } = verify(forged.texts.position ?? "", { key });
    expect(holds).toBe(false);
    expect(reason).toStartWith(words);
  });

  type Change = { fill?: object; instrument?: object; countries?: object };
  const change = <R extends LogRecord>(record: R, over: object = {}) => ({ ...record, ...over }) as R;
  /** The file of the large opening, with its records changed; `of` an earlier version, which names no version of the countries' rules, or says both leverages as one. */
  const marginFile = ({ fill, instrument, countries }: Change, of: 3 | 4 | 5 = 5) =>
    logOf((record) => {
      if (record.kind === "instrument") return change(record, instrument);
      if (record.kind === "countries") return change(record, countries);
      if (record.kind !== "fill" || record.v !== 5) return record;
      const { country: _, countryVersion: __, ...before } = change(record, fill);
      const { cap, ...least } = before;
      if (of === 3) return { ...least, v: 3, own: Math.min(least.own, cap ?? least.own) } as LogRecord;
      return of === 4 ? { ...before, v: 4 } : change(record, fill);
    });
  const marginOf = (changed: Change, of: 3 | 4 | 5 = 5) => {
    const { margin } = marginFile(changed, of).files;
    return verify(written({ ...margin, others: margin.others.filter(({ record }) => of === 5 || record.kind !== "countries") }), { key });
  };

  const sized: [string, Change, string][] = [
    ["a leverage above what its size asks for", { fill: { leverage: 30, margin: "5000.00" } }, "The opening’s leverage of 1:30"],
    ["one below it, which is more margin than that", { fill: { leverage: 28, margin: "5357.15" } }, "The opening’s leverage of 1:28"],
    ["another amount that was held", { fill: { held: "0.00" } }, "The opening’s leverage of 1:29"],
    ["another leverage of its account", { fill: { own: 20 } }, "The opening’s leverage of 1:29"],
    ["another one where its owner lives", { fill: { cap: 80 } }, "The opening’s leverage of 1:29"],
    ["one that waited at less", { fill: { placed: 20 } }, "The opening’s leverage of 1:29"],
    ["other steps", { instrument: { marginSteps: '[{"above": "100000.00", "percent": "6.00"}]' } }, "The opening’s leverage of 1:29"],
    ["no steps", { instrument: { marginSteps: null } }, "The opening’s leverage of 1:29"],
    ["another version", { instrument: { version: 3 } }, "The version of the instrument’s terms"],
  ];
  test.each(sized)("%s", (_, changed, words) => {
    for (const verdict of [marginOf(changed), marginOf(changed, 4), marginOf(changed, 3)])
      expect([verdict.holds, verdict.reason?.startsWith(words) ? words : verdict.reason]).toEqual([false, words]);
  });
  test("what was held that is not said, and an account of more leverage than its group's", () => {
    expect(marginOf({ fill: { held: null } }).reason).toStartWith("The opening’s leverage of 1:29");
    expect(marginOf({ fill: { own: 501 } }).reason).toStartWith("The account’s own 1:501 is no more than version 2 of starter has: it is above 1:500");
  });
  test("an order that waited holds at the lesser of what it was placed at and what its size asks for", () => {
    for (const fill of [
      { placed: 20, leverage: 20, margin: "7500.00" },
      { placed: 50, leverage: 34, margin: "4411.77" },
    ])
      for (const version of [3, 4, 5] as const) expect(marginOf({ fill: { ...fill, cap: null } }, version).reason).toBeNull();
  });
  test("what bounds it where its owner lives is what the version of the rules that it names has, for the class of the instrument", () => {
    const words = "The most leverage in DE is what version 3 of the countries’ rules has";
    const rules = (leverageMajor: number | null) => ({
      rules: JSON.stringify({ DE: { isServed: true, leverageMajor, leverageMinor: 50, leverageCrypto: 50 } }),
    });
    expect(marginOf({}).reason).toBeNull();
    expect(marginOf({ countries: rules(60) }).reason).toBe(`${words}: it has 1:60.`);
    expect(marginOf({ countries: rules(null) }).reason).toBe(`${words}: it has none.`);
    expect(marginOf({ countries: { rules: "nothing" } }).reason).toBe(`${words}: it has none.`);
    expect(marginOf({ fill: { country: "FR" } }).reason).toBe("The most leverage in FR is what version 3 of the countries’ rules has: it has none.");
    expect(marginOf({ fill: { country: null } }).reason).toStartWith("The most leverage in a country that is not noted is what");
    expect(marginOf({ countries: { version: 2 } }).reason).toStartWith("The version of the countries’ rules: it is not of this position");
    // What waited was placed by it, and is above it nowhere.
    const waited = { cap: null, placed: 20, leverage: 20, margin: "7500.00" };
    expect(marginOf({ fill: waited, countries: rules(20) }).reason).toBeNull();
    expect(marginOf({ fill: waited, countries: rules(null) }).reason).toBeNull();
    expect(marginOf({ fill: waited, countries: rules(19) }).reason).toBe(`${words}: it has 1:19.`);
    const { files } = marginFile({});
    const others = files.margin.others.filter(({ record }) => record.kind !== "countries");
    expect(verify(written({ ...files.margin, others }), { key }).reason).toBe(`${words}: the file lacks the record of its terms.`);
  });
  test("a bound that is changed afterwards, with all hashes computed anew, is exposed by a kept checkpoint", () => {
    const forged = marginFile({ fill: { cap: 60, leverage: 31, margin: "4838.71" }, countries: { rules: '{"DE":{"leverageMajor":60}}' } });
    expect(verify(forged.texts.margin ?? "", { key }).reason).toBeNull();
    const { holds, reason } = verify(forged.texts.margin ?? "", { key, old: log.checkpoint });
    expect([holds, reason]).toEqual([false, expect.stringContaining("the log had other records then")]);
  });
  test("where nothing goes by size an opening holds at the least of its account's, its country's, its instrument's, and what it waited at", () => {
    const plain = { held: null, cap: null };
    const of = (fill: { cap?: number; [name: string]: unknown }, marginPercent: string | null = null) =>
      marginOf({
        fill: { ...plain, ...fill },
        instrument: { marginSteps: null, marginPercent },
        countries: { rules: `{"DE":{"leverageMajor":${fill.cap ?? null}}}` },
      });
    for (const [fill, percent] of [
      [{ leverage: 100, margin: "1500.00" }, null],
      [{ leverage: 100, margin: "1500.00" }, "0.50"],
      [{ leverage: 33, margin: "4545.46" }, "3.00"],
      [{ leverage: 30, margin: "5000.00", cap: 30 }, "3.00"],
      [{ leverage: 20, margin: "7500.00", placed: 20 }, "3.00"],
    ] as const) {
      expect(of(fill, percent).reason).toBeNull();
      for (const wrong of [{ leverage: 99, margin: "1515.16" }, { own: 19 }])
        expect(of({ ...fill, ...wrong }, percent).reason).toStartWith("The opening’s leverage of");
    }
    // And so in an instrument that never had terms.
    const { files } = marginFile({
      fill: { ...plain, instrumentVersion: 0, leverage: 30, margin: "5000.00", cap: 30 },
      countries: { rules: '{"DE":{"leverageMajor":30}}' },
    });
    const others = files.margin.others.filter(({ record }) => record.kind !== "instrument");
    const { reason, steps } = verify(written({ ...files.margin, others }), { key });
    expect(reason).toBeNull();
    expect(steps.map(({ what }) => what)).toContain("The opening’s leverage of 1:30 is the least of the account’s 1:100 and 1:30 where its owner lives.");
  });
  test("of an instrument's terms that were logged before they said all, no more than 'not more' is said", () => {
    const former = logOf((record) => {
      if (record.kind !== "instrument") return record;
      const { marginSteps: _, applies: __, ...before } = record as Extract<typeof record, { v: 2 }>;
      return { ...before, v: 1 };
    });
    const { holds, steps } = verify(former.texts.margin ?? "", { key });
    expect([holds, steps.some(({ what }) => what.includes("asks for by size"))]).toEqual([true, false]);
    expect(steps).toContainEqual({ state: "open", what: "Version 4 of the instrument’s terms was logged without its margin by size." });
  });

  test("a total that is not the leaves' sum", () => {
    const forged = logOf((record) => (record.kind === "liabilities" ? { ...record, total: "1250.75" } : record));
    expect(verify(forged.texts.liability ?? "", { key }).reason).toStartWith("All leaves together are $1,250.75");
  });
});

describe("bad input gets one sentence", () => {
  const text = log.texts.position ?? "";
  const swapped = text.replace('"index":2', '"index":3');
  const cases: [string, string, string][] = [
    ["nothing", "", "This file is empty."],
    ["a file cut off", text.slice(0, -200), "The file can't be read: it is cut off, or was never a proof (no valid JSON)."],
    ["another site's file", '{"format":"other","proof":[]}', "This is no proof of this program's: its format is not halyard-proof-1."],
    ["a list", "[1,2]", "This is no proof of this program's: it holds no object."],
    [
      "a field said twice",
      text.replace('{"', '{"kind":"position","'),
      "The file is not written as the program writes it: a field stands twice, in another place, or is spelt in another way.",
    ],
    [
      "fields in another order",
      JSON.stringify(log.files.position),
      "The file is not written as the program writes it: a field stands twice, in another place, or is spelt in another way.",
    ],
    ["a field too many", written({ ...log.files.position, more: 1 }), "The file is not what it should be at more."],
    [
      "a kind of an object's own names",
      text.replace('"kind":"position"', '"kind":"toString"'),
      "The file does not say what it proves: its kind is none that is known.",
    ],
    [
      "a record that stands twice",
      written({ ...log.files.position, others: [...log.files.position.others, ...log.files.position.others] }),
      "it stands twice in the file.",
    ],
    [
      "the ends in each other's place",
      written({ ...log.files.position, opening: log.files.position.closing, closing: log.files.position.opening }),
      "its record is of kind exit, not fill.",
    ],
    ["a number turned", swapped, "The opening is record no. 3 of the 11 that the log signed: it is not in the log as it stands here."],
    ["nested beyond measure", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, ""],
    ["nested objects", `{"format":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`, "This is no proof of this program's: its format is not halyard-proof-1."],
    ["huge", " ".repeat(48_000_001), "This file is longer than any proof is."],
  ];
  test.each(cases)("%s", (_, input, sentence) => {
    const { holds, reason } = verify(input, { key });
    expect(holds).toBe(false);
    if (sentence === "") expect(reason?.length).toBeGreaterThan(10);
    else expect(reason).toContain(sentence);
  });

  test("with another log's key, or none for a single proof", () => {
    const other = verifierText(signerOf("other.test/log", signer.seed));
    expect(verify(text, { key: other }).reason).toBe("The file is another log's: it names another key than the one that was given.");
    expect(verify(text, { key: "nonsense" }).reason).toContain("is no log's key");
    expect(verify(log.texts.proof ?? "").reason).toContain("A single proof names no key");
  });
});
