import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../platform/database/db";
import { buildProgram, killPostgresIn, launch, runProgram } from "../program";

/**
 * The program is killed under load, PostgreSQL with it, and the disk of both is thrown away. What comes back from the archive is all that was
 * acknowledged up to the instant that `/readyz` named last, in its order and without a gap. CHAOS_SECONDS makes the load before it long.
 */

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 0);
const PEOPLE = 3;
/** So many are to be acknowledged before the last round, so that there is something to lose. */
const ENOUGH = 20;

const above = mkdtempSync("/tmp/halyard-killed-archive-");
chmodSync(above, 0o755);
const folder = (name: string) => {
  const path = join(above, name);
  mkdirSync(path);
  return path;
};
const plain = { PORT: "0", HOST: "127.0.0.1", COMMANDS_PER_SECOND: "1000" };
const env = { ...plain, ARCHIVE_URL: `file://${join(above, "archive")}`, ARCHIVE_KEY: "7a".repeat(32) };
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const order = { symbol: "EUR/USD", type: "buy", amount: 100, openPrice: 1, currentPrice: null, stopLoss: null, takeProfit: null, status: "pending" };
type Body = { id: string; user: { id: string } };
type Answer = { status: number; cookie: string; body: Body };
async function send(base: string, cookie: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) });
  return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie, body: (await response.json()) as Body };
}

/** What one person was answered, in its order, with the instant of each answer. */
type Deeds = { userId: string; done: { id: string; at: number }[] };

test("killed under load and its disk thrown away, it comes back with all that was acknowledged up to what its lag said", async () => {
  const home = folder("home");
  const program = launch(home, env);
  const base = String((await program.logged("listening")).url);
  let going = true;
  const people: Deeds[] = [];
  const work = Array.from({ length: PEOPLE }, async (_, n) => {
    const person = { firstName: "Tess", lastName: "Trader", email: `t${n}@t.test`, password: "Corr3ct-horse" };
    const { cookie, body } = await send(base, "", "/api/auth/register", person);
    const deeds: Deeds = { userId: body.user.id, done: [] };
    people.push(deeds);
    while (going) {
      // Who is killed answers nothing more.
      const answer = await send(base, cookie, "/api/trading/positions", order).catch(() => null);
      if (answer?.status === 201) deeds.done.push({ id: answer.body.id, at: Date.now() });
    }
  });
  const all = () => people.flatMap(({ done }) => done);
  await program.logged("a copy of the database is in the archive");

  // What was acknowledged before this is safe, by the program's own word: as old as it said, at the moment at which it was asked.
  let safe = 0;
  const ask = async () => {
    const asked = Date.now();
    const { archive } = (await (await fetch(`${base}/readyz`)).json()) as { archive: { lagSeconds: number | null; fault: string | null } };
    expect(archive.fault).toBeNull();
    if (archive.lagSeconds !== null) safe = Math.max(safe, asked - archive.lagSeconds * 1000);
  };
  const [began, copied] = [Date.now(), all().length];
  const safely = () => all().filter(({ at }) => at < safe).length;
  while (safely() < copied + ENOUGH || Date.now() - began < SECONDS * 1000) {
    await Bun.sleep(200);
    await ask();
  }
  program.signal("SIGKILL");
  killPostgresIn(join(home, "data"));
  await program.ended;
  going = false;
  await Promise.all(work);
  rmSync(home, { recursive: true });

  const elsewhere = folder("elsewhere");
  const restored = await runProgram(elsewhere, env, ["restore", "--from", env.ARCHIVE_URL]);
  expect(restored.stderr).toBe("");
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringMatching(/^brought back to 20\S+: base\/\S+ and \d+ segments of the log\n(ok \w+\n?)+$/) });

  // Without the archive: for three minutes it counts as the killed one's, which might live.
  const again = launch(elsewhere, plain);
  await again.logged("listening");
  const sql = connect(`postgres://halyard@localhost/halyard?host=${encodeURIComponent(join(elsewhere, "data", "run"))}`, { max: 1 });
  try {
    for (const { userId, done } of people) {
      const rows = await sql<{ id: string }[]>`select id from positions where user_id = ${userId} order by created_at, id`;
      const there = new Set(rows.map(({ id }) => id));
      const lost = done.filter(({ id }) => !there.has(id));
      expect(lost.filter(({ at }) => at < safe)).toEqual([]);
      // No gap: what is lost is the end of what was done, and one that was under way may have been written without an answer.
      const kept = done.length - lost.length;
      expect(done.slice(0, kept).every(({ id }) => there.has(id))).toBe(true);
      expect(there.size - kept).toBeLessThanOrEqual(1);
    }
    expect(all().length).toBeGreaterThanOrEqual(copied + ENOUGH);
  } finally {
    await sql.end({ timeout: 1 });
    again.signal("SIGTERM");
    expect((await again.ended).status).toBe(0);
  }
});
