import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { HOUR, SECOND } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { tickHolds } from "../testing/public_log";
import { order, until } from "../testing/scenarios";
import { currentLog, keyOfLog, readTickProofs } from "./queries";
import { parseVerifier, type Verifier } from "./rules_note";

/** When a checkpoint is signed: at least each second while something happens, each minute otherwise; and what a round does by itself of the ticks that were dealt on. */

let app: TestApp;
beforeAll(async () => void (app = await testApp()));
afterAll(() => app.end());

/** The log's beat, which is the test's from now on, and what it should come by, in ms. */
async function beatInHand() {
  const beats: { run: () => Promise<void>; every: number }[] = [];
  const timer = spyOn(globalThis, "setInterval").mockImplementation(((run: () => Promise<void>, every: number) => beats.push({ run, every })) as never);
  await app.logbook.rest();
  await beatsAgain();
  timer.mockRestore();
  const [beat] = beats;
  if (!beat || beats.length > 1) throw new Error("the log has no beat");
  return { beat: beat.run, every: beat.every };
}
/** Beats by the clock. */
async function beatsAgain() {
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  app.logbook.lead(lead?.epoch ?? 0, () => {});
}

test("while something happens each beat signs a checkpoint over all that was committed before it, and a beat during a round is not lost; where nothing happens each minute's does", async () => {
  const { beat, every } = await beatInHand();
  // What is left of the second between two checkpoints is what a beat waits for prices to be stored.
  expect(every).toBe(950);
  await app.logbook.wake();

  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const dealt = async () => (await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 })).body.id;
  const isUnder = async (position: string) => {
    const [entry] = await app.sql<{ index: number }[]>`
      select e.index from proof_entries e join fills f on e.kind = 'fill' and e.ref = f.id::text where f.position_id = ${position}`;
    return entry !== undefined && entry.index < ((await currentLog(app.sql))?.size ?? 0);
  };
  const signedAt = async () => Date.parse((await currentLog(app.sql))?.signedAt ?? "");
  for (let n = 0; n < 5; n++) {
    const [first, before] = [await dealt(), await signedAt()];
    void beat();
    const second = await dealt();
    void beat();
    await until("both are under a checkpoint, by these beats alone", async () => (await isUnder(first)) && (await isUnder(second)));
    expect(await signedAt()).toBeGreaterThan(before);
  }
  // Where nothing happens a beat signs nothing until the last checkpoint is a minute old; nor does the one after a beat that had something, which does not ask first.
  await dealt();
  await beat();
  const beatAfter = async (ms: number) => {
    const { note, size } = (await currentLog(app.sql))!;
    await app.sql`update proof_logs set signed_at = now() - make_interval(secs => ${ms / 1000}) where note = ${note}`;
    const before = await signedAt();
    await beat();
    return { isAnew: (await signedAt()) > before, grew: (await currentLog(app.sql))!.size > size };
  };
  for (const [ms, isAnew] of [
    [1_000, false],
    [60_000, true],
  ] as const) {
    let done = await beatAfter(ms);
    // What the program does by itself, like recording a tick, may have been logged by this beat: then it says nothing of a quiet one.
    for (let n = 0; n < 50 && done.grew; n++) done = await beatAfter(ms);
    expect([ms, done]).toEqual([ms, { isAnew, grew: false }]);
  }
  await beatsAgain();
});

test("with prices alone each beat has them stored and signs a checkpoint over them, whenever they would have been stored else; what can't be stored keeps nothing from the log", async () => {
  const { beat, every } = await beatInHand();
  await beat();
  const newest = async () => {
    const [row] = await app.sql<{ seq: number; size: number }[]>`
      select b.last as seq, l.size from proof_batches b join proof_logs l on l.number = b.log and l.size > b.index order by b.first desc limit 1`;
    return row;
  };
  for (let n = 0; n < 5; n++) {
    await app.quote("EUR/USD", `1.1000${n}`, `1.1001${n}`);
    const { rounds } = app.logbook.counts;
    const own = globalThis.setTimeout;
    // A busy machine may take longer over storing them than what is left of the second.
    const wait = spyOn(globalThis, "setTimeout").mockImplementation(((...[run, ms, ...more]: Parameters<typeof own>) =>
      own(run, ms === SECOND - every ? HOUR : ms, ...more)) as never);
    await beat();
    wait.mockRestore();
    expect([(await newest())?.seq, app.logbook.counts.rounds - rounds]).toEqual([app.market.board.get("EUR/USD")?.seq, 1]);
  }
  const store = spyOn(app.market, "store").mockImplementation(() => new Promise(() => {}));
  const { size } = (await currentLog(app.sql))!;
  await app.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', 'A line while nothing is stored', '', '')`;
  void beat();
  await until("what was done is under a checkpoint all the same", async () => (await currentLog(app.sql))!.size > size);
  store.mockRestore();
  await beatsAgain();
});

test("a deal's tick has its path from the round that has both, be its batch logged before, with it or after it; a program that leads anew asks for what waits", async () => {
  const { beat } = await beatInHand();
  /** However long it takes to store them. */
  const storedBeat = async () => {
    await app.market.store();
    await beat();
  };
  const verifier = parseVerifier((await keyOfLog(app.sql)) ?? "") as Verifier;
  const tess = await app.trader();
  const dealt = async () => {
    const { id } = (await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 })).body;
    const [fill] = await app.sql<{ seq: number }[]>`select quote_seq as seq from fills where position_id = ${id}`;
    return fill?.seq ?? 0;
  };
  const asked = spyOn(logged, "readTicks");
  const isKept = async (seq: number) => {
    const proof = (await readTickProofs(app.sql, [seq])).get(seq);
    return proof !== undefined && proof.tick.seq === seq && tickHolds(proof, verifier);
  };
  const quoted = (n: number) => app.quote("EUR/USD", `1.1010${n}`, `1.1011${n}`);
  await quoted(0);
  await storedBeat();
  asked.mockClear();
  const before = await dealt();
  await storedBeat();
  expect([await isKept(before), asked.mock.calls]).toEqual([true, []]);
  await quoted(1);
  const beside = await dealt();
  await storedBeat();
  expect([await isKept(beside), asked.mock.calls]).toEqual([true, []]);
  await quoted(2);
  const after = await dealt();
  // Nobody has the prices stored.
  await app.logbook.wake();
  await storedBeat();
  expect([await isKept(after), asked.mock.calls]).toEqual([true, []]);
  await quoted(3);
  const anew = await dealt();
  await app.logbook.wake();
  await beatInHand();
  await storedBeat();
  expect(await isKept(anew)).toBe(true);
  asked.mockRestore();
  await beatsAgain();
});
