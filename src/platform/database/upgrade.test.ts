import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { emptyDatabase, type TestDatabase } from "../../testing/database";
import { type TestApp, testApp } from "../../testing/app";
import type { Db } from "./db";
import { readTexts } from "../files";
import { makeSchema } from "./migrate";
import { applyFunctions, stampIn } from "./sql_functions";
import { openBackup, restoreBackup } from "../backup/restore";

/** Databases that released programs made and people had worked in, saved: each must come up to this program and go on. */
const RELEASES = join(import.meta.dir, "..", "..", "testing", "releases");
const releases = readdirSync(RELEASES).filter((name) => name.endsWith(".backup"));

test("there is a release to come from", () => expect(releases.length).toBeGreaterThan(0));

describe.each(releases)("a database of release %s", (name) => {
  const path = join(RELEASES, name);
  let db: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    db = await emptyDatabase();
    const { applied } = await restoreBackup(db.sql, path, await openBackup(path));
    expect(applied.length).toBeGreaterThan(0);
    app = await testApp({}, db);
  });
  afterAll(() => app.end());

  test("keeps its books and its audit chain", async () => {
    expect(await app.faults()).toEqual([]);
    const { header } = await openBackup(path);
    const [at] = await db.sql<{ hash: string }[]>`select hash from admin_actions where id = ${header.auditHead.id}`;
    expect(at?.hash).toBe(header.auditHead.hash);
  });

  test("its people sign in, see what they had, and trade on; what waited is decided", async () => {
    const [ada, admin] = [app.stranger(), app.stranger()];
    expect((await ada.post("/api/auth/login", { email: "ada@release.test", password: "Corr3ct-horse" })).status).toBe(200);
    expect((await admin.post("/api/auth/login", { email: "admin@release.test", password: "Corr3ct-horse-battery" })).status).toBe(200);
    await app.quote("GBP/USD", "1.27000", "1.27010");
    await app.quote("BTC/USD", "60000.00", "60010.00");
    await app.quote("EUR/USD", "1.10000", "1.10010");
    const { body: open } = await ada.get<{ id: string; symbol: string }[]>("/api/trading/positions/open");
    expect(open.map(({ symbol }) => symbol).sort()).toEqual(["BTC/USD", "GBP/USD"]);
    for (const { id } of open) expect((await ada.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
    const { body: history } = await ada.get<unknown[]>("/api/trading/positions/history");
    expect(history).toHaveLength(4);
    expect((await ada.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000 })).status).toBe(201);

    const { body: deposits } = await admin.get<{ id: string }[]>("/api/admin/deposits/pending");
    expect(deposits).toHaveLength(2);
    expect((await admin.post(`/api/admin/deposits/${deposits[0]?.id}/approve`, {})).status).toBe(200);
    const { body: withdrawals } = await admin.get<{ id: string }[]>("/api/admin/withdrawals/pending");
    for (const { id } of withdrawals) expect((await admin.post(`/api/admin/withdrawals/${id}/reject`, { reason: "No" })).status).toBe(200);
    for (const page of ["/dashboard", "/traders-portal", "/accounts", "/profile"]) expect([page, (await ada.get(page)).status]).toEqual([page, 200]);
    for (const tab of ["users", "deposits", "withdrawals", "trades", "audit", "overview"])
      expect([tab, (await admin.get(`/admin?tab=${tab}`)).status]).toEqual([tab, 200]);
    expect(await app.faults()).toEqual([]);
  });

  test("had nothing taken away: what the program of that release reads and calls is still there while it runs beside this one", async () => {
    const own = await emptyDatabase();
    try {
      const { migrations } = await openBackup(path);
      // From 032 on a release's functions stand beside its backup; before, in its migrations.
      const functions = readTexts(RELEASES, name.replace(/backup$/, "functions.sql"));
      expect(functions.length > 0).toBe(migrations.some(({ text }) => stampIn(text) !== null));
      await own.sql.begin(async (tx) => {
        await makeSchema(tx, migrations);
        await applyFunctions(tx, functions);
      });
      const before = await surfaceOf(own.sql);
      expect(before.length).toBeGreaterThan(200);
      const now = new Set(await surfaceOf(db.sql));
      expect(before.filter((piece) => !now.has(piece))).toEqual([]);
      const tables = (await own.sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`)
        .map(({ name }) => name)
        .filter((name) => !OF_MIGRATIONS.includes(name));
      expect(await demandsOf(db.sql, tables)).toEqual(await demandsOf(own.sql, tables));
    } finally {
      await own.drop();
    }
  });
});

/** Of these earlier programs wrote no row: migrations alone did. */
const OF_MIGRATIONS = ["instruments"];

/** The columns without which a row can't be inserted into these tables. */
async function demandsOf(sql: Db, tables: readonly string[]): Promise<string[]> {
  const columns = await sql<{ name: string }[]>`
    select c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${tables as string[]})
      and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''
    order by name`;
  return columns.map(({ name }) => name);
}

/** Columns with their types, and functions with their arguments and results. */
async function surfaceOf(sql: Db): Promise<string[]> {
  const pieces = await sql<{ piece: string }[]>`
    select a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) as piece
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    union all
    select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') ' || pg_get_function_result(p.oid)
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'`;
  return pieces.map(({ piece }) => piece);
}
