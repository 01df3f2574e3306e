import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, launch, runProgram } from "../program";

/** The drill: the program saves itself while people use it; the file is restored elsewhere, proved, and people sign in there. */

const above = mkdtempSync("/tmp/halyard-drill-");
chmodSync(above, 0o755);
const folder = (name: string) => {
  const path = join(above, name);
  mkdirSync(path);
  return path;
};
const env = { PORT: "0", HOST: "127.0.0.1", ADMIN_EMAIL: "admin@t.test", ADMIN_PASSWORD: "Corr3ct-horse-battery" };
const file = join(above, "drill.backup");
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

async function ask(base: string, cookie: string, path: string, body: object) {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", Cookie: cookie }, body: JSON.stringify(body) });
  const [set] = response.headers.getSetCookie();
  return { status: response.status, cookie: set?.split(";")[0] ?? cookie, text: await response.text() };
}
const password = "Corr3ct-horse";
const order = { symbol: "EUR/USD", type: "buy", amount: 100, openPrice: 1, currentPrice: null, stopLoss: null, takeProfit: null, status: "pending" };

test("a backup under load, restored elsewhere, holds every deal that was answered before it; the people sign in there", async () => {
  const home = folder("home");
  const program = launch(home, { ...env, BACKUP_EVERY: "1h" });
  const base = String((await program.logged("listening")).url);
  const people = await Promise.all(
    [1, 2, 3].map((n) => ask(base, "", "/api/auth/register", { firstName: "Tess", lastName: "Trader", email: `t${n}@t.test`, password })),
  );
  expect(people.map(({ status }) => status)).toEqual([201, 201, 201]);
  let going = true;
  const answered: string[] = [];
  const load = people.map(async ({ cookie }) => {
    while (going) {
      const { status, text } = await ask(base, cookie, "/api/trading/positions", order);
      if (status === 201) answered.push((JSON.parse(text) as { id: string }).id);
    }
  });
  while (answered.length < 20) await Bun.sleep(5);
  const before = [...answered];
  const saved = await runProgram(home, env, ["backup", file]);
  going = false;
  await Promise.all(load);
  expect(saved.stderr).toBe("");
  expect(saved).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\/.*drill\.backup: \d+ tables, [\d,]+ rows, [\d.]+ MB, audit head \d+ [0-9a-f]{12}$/),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await runProgram(home, env, ["backup", file])).toMatchObject({ status: 1, stderr: expect.stringContaining("exists already") });

  const refused = await runProgram(home, env, ["restore", file]);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("The database is not empty.") });
  await program.logged("backup written");
  expect(readdirSync(join(home, "data", "backups"))).toHaveLength(1);
  program.signal("SIGTERM");
  await program.ended;

  const elsewhere = folder("elsewhere");
  const restored = await runProgram(elsewhere, env, ["restore", file]);
  expect(restored.stderr).toBe("");
  expect(restored.status).toBe(0);
  expect(restored.stdout).toMatch(/^restored \d+ tables, [\d,]+ rows of \S+, audit head \d+ [0-9a-f]{12}\n(ok \w+\n?)+$/);
  const again = launch(elsewhere, env);
  const url = String((await again.logged("listening")).url);
  // A session of the backup opens nothing: it may have been ended since.
  for (const { cookie } of people) expect((await fetch(`${url}/api/auth/user`, { headers: { Cookie: cookie } })).status).toBe(401);
  const entered = await Promise.all([1, 2, 3].map((n) => ask(url, "", "/api/auth/login", { email: `t${n}@t.test`, password })));
  expect(entered.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await ask(url, "", "/api/auth/login", { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD })).status).toBe(200);
  const open = await Promise.all(
    entered.map(async ({ cookie }) => (await (await fetch(`${url}/api/trading/positions/open`, { headers: { Cookie: cookie } })).json()) as { id: string }[]),
  );
  const found = new Set(open.flat().map(({ id }) => id));
  // Each list shows the newest hundred; where one is longer the receipt tells of the deal.
  const missing = before.filter((id) => !found.has(id));
  for (const id of missing) {
    const receipts = await Promise.all(entered.map(({ cookie }) => fetch(`${url}/api/trading/positions/${id}/receipt`, { headers: { Cookie: cookie } })));
    expect(receipts.some(({ status }) => status === 200)).toBe(true);
  }
  again.signal("SIGTERM");
  expect((await again.ended).status).toBe(0);
});

test("brought back from its archive after its disk is gone, it holds every deal that was answered, and its books hold", async () => {
  const home = folder("archived");
  const archive = { ARCHIVE_URL: `file://${join(above, "archive")}`, ARCHIVE_KEY: "5e".repeat(32) };
  const program = launch(home, { ...env, ...archive });
  const base = String((await program.logged("listening")).url);
  const person = { firstName: "Tess", lastName: "Trader", email: "archived@t.test", password };
  const { cookie } = await ask(base, "", "/api/auth/register", person);
  const deal = async (): Promise<string> => {
    const { status, text } = await ask(base, cookie, "/api/trading/positions", order);
    // Again where a machine that stood still has no price young enough.
    if (status === 503 && text.includes("stale_price")) return deal();
    expect(status).toBe(201);
    return (JSON.parse(text) as { id: string }).id;
  };
  const ids = [await deal()];
  await program.logged("a copy of the database is in the archive");
  ids.push(await deal(), await deal());
  const { archive: lag } = (await (await fetch(`${base}/readyz`)).json()) as { archive: { lagSeconds: number; copyFrom: string; fault: null } };
  expect(lag).toEqual({ lagSeconds: expect.any(Number), copyFrom: expect.stringMatching(/^20/), fault: null });
  expect(await runProgram(folder("within"), { ...env, ARCHIVE_URL: `file://${join(above, "within", "data", "archive")}` })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("which the archive is to outlive"),
  });
  program.signal("SIGTERM");
  expect((await program.ended).status).toBe(0);
  rmSync(home, { recursive: true });

  const elsewhere = folder("brought_back");
  const from = ["restore", "--from", archive.ARCHIVE_URL];
  const keyless = await runProgram(elsewhere, env, from);
  expect(keyless).toMatchObject({ status: 1, stderr: expect.stringContaining("needs its ARCHIVE_KEY") });
  const restored = await runProgram(elsewhere, { ...env, ...archive }, from);
  expect(restored.stderr).toBe("");
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringMatching(/^brought back to 20\S+: base\/\S+ and \d+ segments of the log\n(ok \w+\n?)+$/) });
  const again = launch(elsewhere, env);
  const url = String((await again.logged("listening")).url);
  expect((await fetch(`${url}/api/auth/user`, { headers: { Cookie: cookie } })).status).toBe(401);
  const entered = await ask(url, "", "/api/auth/login", { email: person.email, password });
  for (const id of ids) expect((await fetch(`${url}/api/trading/positions/${id}/receipt`, { headers: { Cookie: entered.cookie } })).status).toBe(200);
  again.signal("SIGTERM");
  expect((await again.ended).status).toBe(0);

  const wrong = [
    ["--at", "2026-01-01T00:00:00Z"],
    ["--from", "http://x/"],
    ["--from", archive.ARCHIVE_URL, "--at", "yesterday"],
    ["--from", archive.ARCHIVE_URL, "f"],
  ];
  for (const args of wrong) expect((await runProgram(elsewhere, env, ["restore", ...args])).status).toBe(2);
});

test("a file that is cut off or foreign is refused with one line, and no folder is made for it", async () => {
  const home = folder("refusing");
  const cut = join(above, "cut.backup");
  const whole = readFileSync(file);
  // In the header, in the rows, and before the last line.
  for (const bytes of [1_500, whole.length / 2, whole.length - 10]) {
    writeFileSync(cut, whole.subarray(0, bytes));
    expect(await runProgram(home, env, ["restore", cut])).toMatchObject({
      status: 1,
      stderr: `halyard: ${cut} is damaged or incomplete. Nothing was changed.\n`,
    });
  }
  expect(await runProgram(home, env, ["restore", "/etc/hostname"])).toMatchObject({ status: 1, stderr: expect.stringContaining("is not a backup") });
  expect(existsSync(join(home, "data"))).toBe(false);
  for (const args of [["backup"], ["restore"], ["backup", "a", "b"]]) expect((await runProgram(home, env, args)).status).toBe(2);
});
