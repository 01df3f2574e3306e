import { afterEach, beforeEach, expect, test } from "bun:test";
import { createLog } from "../platform/log";
import { type TestApp, testApp } from "../testing/app";
import { createAdmin, ensureFirstAdmin } from "./commands";

/** Who becomes the first administrator at a start. */

let app: TestApp;
let lines: string[];
beforeEach(async () => {
  app = await testApp();
  lines = [];
});
afterEach(() => app.end());

const CHOSEN = { email: "chosen@t.test", password: "Corr3ct-horse-battery" };
const start = (configured: typeof CHOSEN | null) =>
  ensureFirstAdmin(
    app.sql,
    configured,
    createLog("info", (line) => void lines.push(line)),
  );
const people = async () => [...(await app.sql<{ email: string; role: string }[]>`select email, role from users order by email`)];
const book = async () => [
  ...(await app.sql`
    select a.admin_user_id as by, u.email, a.action, a.details, a.new_state as now from admin_actions a join users u on u.id = a.target_user_id order by a.id
  `),
];
const entry = (email: string) => ({ by: null, email, action: "user.create_admin", details: { by: "operator" }, now: { role: "admin" } });
const warnings = () => lines.map((line) => JSON.parse(line) as { level: string; msg: string }).map(({ level, msg }) => `${level}: ${msg}`);

test("is the one that the environment names, who signs in with that password and is made once", async () => {
  expect(await start(CHOSEN)).toBe(null);
  expect(await start({ ...CHOSEN, email: "CHOSEN@t.test", password: "another long password" })).toBe(null);
  expect(await people()).toEqual([{ email: CHOSEN.email, role: "admin" }]);
  expect((await app.stranger().post("/api/auth/login", CHOSEN)).status).toBe(200);
  expect(warnings()).toEqual([]);
  expect(await book()).toEqual([entry(CHOSEN.email)]);
});

test("is admin@localhost where the environment names none, with a password that is told once", async () => {
  const made = await start(null);
  expect((await app.stranger().post("/api/auth/login", made)).status).toBe(200);
  expect(await start(null)).toBe(null);
  expect(await people()).toEqual([{ email: "admin@localhost", role: "admin" }]);
  expect(await book()).toEqual([entry("admin@localhost")]);
});

test("is made beside others that there are, and the log says so", async () => {
  await createAdmin(app.sql, { email: "earlier@t.test", password: CHOSEN.password });
  expect(await start(CHOSEN)).toBe(null);
  expect(await people()).toEqual([
    { email: CHOSEN.email, role: "admin" },
    { email: "earlier@t.test", role: "admin" },
  ]);
  expect(warnings()).toEqual(["warn: one more administrator was made by ADMIN_EMAIL, beside those that there are"]);
  expect(await start(null)).toBe(null);
  expect(await people()).toHaveLength(2);
  expect(await book()).toEqual([entry("earlier@t.test"), entry(CHOSEN.email)]);
});

test("is none where the address is a trader's, who stays one, and the log says so", async () => {
  const trader = await app.trader();
  const told =
    "warn: nobody was made an administrator by ADMIN_EMAIL: it is a trader's address; set it to another, or let an administrator give the trader the role";
  expect(await start({ ...CHOSEN, email: trader.email.toUpperCase() })).toBe(null);
  expect(await people()).toEqual([{ email: trader.email, role: "user" }]);
  expect(warnings()).toEqual([told]);
  await start(CHOSEN);
  await start({ ...CHOSEN, email: trader.email });
  expect(warnings()).toEqual([told, told]);
});

test("is one where several programs start at once", async () => {
  const told = await Promise.all([CHOSEN, CHOSEN, CHOSEN].map(start));
  expect([await people(), told]).toEqual([[{ email: CHOSEN.email, role: "admin" }], [null, null, null]]);
  expect(warnings()).toEqual([]);
});

test("is admin@localhost once, where several start that name none", async () => {
  const told = await Promise.all([null, null, null].map(start));
  expect(await people()).toEqual([{ email: "admin@localhost", role: "admin" }]);
  expect(await book()).toEqual([entry("admin@localhost")]);
  expect(told.filter((made) => made !== null)).toHaveLength(1);
});
