import { describe, expect, test } from "bun:test";
import { toBase64 } from "../lib/bytes";
import { testApp } from "../testing/app";
import { key as firstKey, logOf, signer } from "../testing/proofs";
import { order, until } from "../testing/scenarios";
import { endLog } from "./commands";
import { currentLog, keysOfLogs } from "./queries";
import { gatherLinks } from "./rules_ended_links";
import type { ReadPath } from "./rules_growth";
import { written } from "./rules_files";
import { type Hash, inclusionProof, leafHash, readerOf, rootOfLeaves } from "./rules_merkle";
import { checkpointText, signerOf, signNote, verifierText } from "./rules_note";
import { verify } from "./rules_verify";
import { refuseTwice } from "./rules_verify_log";
import { Report } from "./rules_verify_report";
import type { Asked } from "./rules_verify_ended";
import { commitmentOf, type LogRecord, type Proof } from "./schema";

/** Whoever ends a log is not rid of what others kept of it: it must have grown to its end, which the next one names. */

const log = logOf();
const second = signerOf("halyard.test/log/2", signer.seed);
const key = `${verifierText(second)} ${firstKey}`;
/** A position of the first log, taken away while the second is appended to. */
const file = written({ ...log.files.position, grew: null, keys: [verifierText(second), firstKey] });
const leavesOf = (of: number, count: number): Hash[] => Array.from({ length: count }, (_, n) => leafHash(Uint8Array.of(of, n)));
const salt = new Uint8Array(32).fill(7);
const CLOSING = 5;

type Shown = { first: Hash[]; start: Partial<LogRecord<"start">>; index: number; size: number; missing: string };
const siteOf = (over: Partial<Shown> = {}): ReadPath => logsOf(over).site;
/**
 * A site that shows these two logs, the second of which begins with the end of the first but for what a test says otherwise; the second one's checkpoint; and a
 * position whose opening is in the first and whose closing in the second.
 */
function logsOf(over: Partial<Shown> = {}): { site: ReadPath; checkpoint: string; spanning: string } {
  const { first = log.leaves, index = 0, size = 300 } = over;
  const start: LogRecord<"start"> = {
    ...{ v: 1, kind: "start", origin: second.name, key: verifierText(second), why: "A tile is lost", at: "2026-11-21T00:00:00.000Z" },
    ...{ previousOrigin: signer.name, previousSize: first.length, previousRoot: toBase64(rootOfLeaves(first)), ...over.start },
  };
  const next = leavesOf(2, size);
  next[index] = leafHash(commitmentOf(salt, start));
  const { closing } = log.files.position;
  next[CLOSING] = leafHash(commitmentOf(salt, closing.proof.record));
  const signed = (leaves: Hash[], by: typeof signer) => signNote(checkpointText({ origin: by.name, size: leaves.length, root: rootOfLeaves(leaves) }), [by]);
  const checkpoint = signed(next, second);
  const proofOf = (at: number, record: LogRecord): Proof => ({
    ...{ index: at, salt: toBase64(salt), record, inclusion: inclusionProof(at, size, readerOf(next)).map(toBase64), checkpoint },
  });
  const tiles = (leaves: Hash[]) => new Uint8Array(Buffer.concat(leaves));
  const paths: Record<string, Uint8Array> = {
    "/log/1/checkpoint": new TextEncoder().encode(signed(first, signer)),
    "/log/2/start": new TextEncoder().encode(written(proofOf(index, start))),
    [`/log/1/tile/0/000.p/${first.length}`]: tiles(first),
  };
  const spanning = written({ ...(JSON.parse(file) as object), closing: { ...closing, proof: proofOf(CLOSING, closing.proof.record) } });
  return { site: async (path) => (path === over.missing ? null : (paths[path] ?? null)), checkpoint, spanning };
}
async function checked(site: ReadPath, old = log.kept) {
  const { asks } = verify(file, { key, old });
  return verify(file, { key, old, links: [await gatherLinks(asks?.[0] as Asked, site)] });
}

describe("a checkpoint that was kept of a log that has ended", () => {
  test("holds where that log only grew to its end, and the next one names it", async () => {
    const { holds, reason, steps } = await checked(siteOf());
    const what =
      "Since your checkpoint of 3 records halyard.test/log only grew, and each log after it up to halyard.test/log/2 names the end of the one before.";
    expect([reason, holds, steps.at(-1)]).toEqual([null, true, { state: "holds", what }]);
  });

  const other = leavesOf(9, 11);
  const cases: [string, Partial<Shown>, string][] = [
    ["was changed before its end", { first: other }, "the log had other records then"],
    ["was changed behind what was kept, which the file has otherwise", { first: [...log.leaves.slice(0, 5), ...other] }, "two ends of halyard.test/log"],
    ["ended with fewer records than were signed", { first: log.leaves.slice(0, 2) }, "it has 2 records now, fewer than were signed then"],
    ["is not named by the next one", { start: { previousOrigin: "elsewhere.test/log" } }, "halyard.test/log/2 does not begin with the end of halyard.test/log"],
    ["is named with another size", { start: { previousSize: 12 } }, "does not begin with the end of halyard.test/log, of 11 records"],
    ["is named with another root", { start: { previousRoot: toBase64(rootOfLeaves(other)) } }, "does not begin with the end of"],
    ["is named by a record that is another log's", { start: { origin: "halyard.test/log/3" } }, "does not begin with the end of"],
    ["is named by a record that is not the first", { index: 1 }, "does not begin with the end of"],
    ["is served without its checkpoint", { missing: "/log/1/checkpoint" }, "the site, which could, was not reached or does not serve it"],
    ["is served without its tiles", { missing: "/log/1/tile/0/000.p/11" }, "the site, which could, was not reached or does not serve it"],
    ["is followed by one whose first record is not shown", { missing: "/log/2/start" }, "the site, which could, was not reached or does not serve it"],
  ];
  test.each(cases)("does not hold where it %s", async (_, over, words) => {
    const { holds, reason } = await checked(siteOf(over));
    expect(holds).toBe(false);
    expect(reason).toContain(words);
  });

  test("does not hold where what the site shows is signed by somebody else, or the file's log is shown otherwise than the file has it", async () => {
    const { asks } = verify(file, { key, old: log.kept });
    const links = (await gatherLinks(asks?.[0] as Asked, siteOf()))!;
    const foreign = { ...links[0]!, checkpoint: signNote(log.checkpoint.slice(0, log.checkpoint.indexOf("\n\n") + 1), [signerOf(signer.name, salt)]) };
    expect(verify(file, { key, old: log.kept, links: [[foreign, ...links.slice(1)]] }).reason).toContain("no key that was given or is in the file signed");
    expect(verify(file, { key, old: log.kept, links: [links.slice(0, 1)] }).reason).toContain("does not lead to halyard.test/log/2");
    expect(verify(file, { key, old: log.kept, links: [[]] }).reason).toContain("does not lead to halyard.test/log/2");
  });
});

describe("of a file with records in two logs both are tied to a kept checkpoint", () => {
  const { site, checkpoint, spanning } = logsOf();
  const other = logsOf({ start: { previousRoot: toBase64(rootOfLeaves(leavesOf(9, 11))) } });
  const asked = async (text: string, old: string, of: ReadPath) => {
    const { asks = [] } = verify(text, { key, old });
    return verify(text, { key, old, links: await Promise.all(asks.map((each) => gatherLinks(each, of))) });
  };
  const cases: [string, string, string, RegExp][] = [
    ["the later", spanning, checkpoint, /^From what the file has of it halyard\.test\/log only grew to its end, and each log after it up to your checkpoint’s/],
    ["the earlier, its end", spanning, log.checkpoint, /^Since your checkpoint of 11 records halyard\.test\/log only grew, and each log after it/],
    ["a log that the file is older than", log.texts.position ?? "", checkpoint, /^From what the file has of it halyard\.test\/log only grew to its end/],
  ];
  test.each(cases)("which is of %s", async (_, text, old, words) => {
    expect(verify(text, { key }).reason).toBeNull();
    const alone = verify(text, { key, old });
    expect([alone.holds, alone.reason]).toEqual([false, expect.stringMatching(/: nothing in this file shows that; the page \/verify of the site asks it/)]);
    const found = await asked(text, old, site);
    expect([found.reason, found.steps.filter(({ what }) => words.test(what)).map(({ state }) => state)]).toEqual([null, ["holds"]]);
    expect((await asked(text, old, async () => null)).reason).toContain("the site, which could, was not reached or does not serve it");
    expect((await asked(text, old, other.site)).holds).toBe(false);
  });

  test("but to no other log of such a name, which the site shows in order by itself", async () => {
    expect((await asked(spanning, other.checkpoint, site)).holds).toBe(false);
    expect((await asked(log.texts.position ?? "", other.checkpoint, site)).reason).toContain("what you have and what the site shows are two logs of the name");
    expect((await asked(other.spanning, other.checkpoint, other.site)).reason).toContain("does not begin with the end of halyard.test/log, of 11 records");
  });
});

test("a record stands twice in a file where its number and its log do: each log has a record of a number", () => {
  const opening = log.files.position.opening.proof;
  const next = { ...opening, checkpoint: opening.checkpoint.replace(signer.name, second.name) };
  const said = (proofs: Proof[]) => {
    const report = new Report();
    refuseTwice(proofs, report);
    return report.end().steps;
  };
  expect(said([opening, next])).toEqual([]);
  expect(said([opening, next, next])).toEqual([{ state: "fails", what: `The record no. ${opening.index}: it stands twice in the file.` }]);
});

test("of a real site that ended its log twice: kept checkpoints of each, with files of each, and none of a log that was changed", async () => {
  const app = await testApp({ PUBLIC_URL: "https://trade.example" });
  try {
    const tess = await app.trader();
    const deal = async () => {
      await app.quote("EUR/USD", "1.10000", "1.10002");
      const { id } = (await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 })).body;
      await until("the log has the deal and its quote", async () => {
        await app.logbook.wake();
        return (await tess.get(`/api/trading/positions/${id}/proof`)).status === 200;
      });
      return id;
    };
    const noted = async () => (await currentLog(app.sql))?.note ?? "";
    const fileOf = async (id: string) => (await tess.fetch("GET", `/api/trading/positions/${id}/proof`)).text();
    const first = await deal();
    const kept = [await noted()];
    await deal();
    await endLog(app.sql, "A first end");
    await app.logbook.wake();
    kept.push(await noted());
    const middle = await deal();
    await endLog(app.sql, "A second end");
    await app.logbook.wake();
    const last = await deal();
    const site: ReadPath = async (path) => {
      const response = await app.stranger().fetch("GET", path);
      return response.status === 200 ? response.bytes() : null;
    };
    const linksFor = (asks: Asked[] = []) => Promise.all(asks.map((asked) => gatherLinks(asked, site)));
    const keys = (await keysOfLogs(app.sql)).join(" ");
    for (const id of [first, middle, last])
      for (const old of kept) {
        const text = await fileOf(id);
        const { asks, holds } = verify(text, { key: keys, old });
        expect(holds).toBe(false);
        const { reason, steps } = verify(text, { key: keys, old, links: await linksFor(asks) });
        expect([reason, steps.at(-1)?.what.endsWith("only grew, and each log after it up to trade.example/log/3 names the end of the one before.")]).toEqual([
          null,
          true,
        ]);
      }
    // A log that is still appended to, of which the file has nothing.
    const { asks } = verify(await fileOf(first), { key: keys, old: await noted() });
    const now = verify(await fileOf(first), { key: keys, old: await noted(), links: await linksFor(asks) });
    expect([now.reason, now.steps.at(-1)?.what.includes("trade.example/log/3 only grew")]).toEqual([null, true]);
    // A file of an ended log's records can't bring how that grew, whichever size is asked for, and no later moment helps.
    const asked = await tess.fetch("GET", `/api/trading/positions/${first}/proof?since=1`);
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining("This is in a log that has ended")]);
    // What a log begins with is everybody's; nothing else is.
    const start = await app.stranger().get<Proof>("/log/2/start");
    expect([start.status, start.body.record.kind, start.headers.get("access-control-allow-origin")]).toEqual([200, "start", "*"]);
    expect((await app.stranger().fetch("GET", "/log/4/start")).status).toBe(404);
  } finally {
    await app.end();
  }
});
