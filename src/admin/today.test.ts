import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { waitingDocument } from "../testing/files";
import { deposit, times } from "../testing/money";
import { ledgerAccount, tamper } from "../testing/scenarios";
import type { DayBook } from "./schema_days";

/** Today: what waits against what is promised, and what a look at a day costs. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let dayAt: (days: number) => string;
beforeAll(async () => {
  app = await testApp();
  const [row] = await app.sql<{ now: string }[]>`select now()`;
  dayAt = (days) => new Date(Date.parse(row?.now ?? "") + days * DAY).toISOString().slice(0, 10);
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

describe("what waits", () => {
  test("is told by queue with its oldest, and late once the promise is over", async () => {
    const queues = async () =>
      Object.fromEntries((await ann.get<DayBook>(`/api/admin/days/${dayAt(-1)}`)).body.queues.map(({ queue, ...rest }) => [queue, rest]));
    const before = await queues();
    const tess = await app.trader();
    const { body: late } = await deposit(tess);
    await deposit(tess);
    const tickets = await times(
      2,
      async () =>
        (await tess.post<{ id: string }>("/api/support/tickets", { subject: "Hello", message: "Anybody?", category: "general", priority: "high" })).body.id,
    );
    await tess.post("/api/chat/messages", { message: "Hello" });
    await app.stranger().post("/api/contact", { name: "Vera", email: "v@t.test", subject: "", message: "Hello" });
    await waitingDocument(app.sql, tess.id);
    // What was erased waits for nobody.
    await waitingDocument(app.sql, tess.id, { content: null });
    await app.admin();
    const nora = await app.trader({ password: "Corr3ct-horse-battery" });
    await ann.post(`/api/admin/approve-registration/${nora.id}`);
    expect((await ann.post(`/api/admin/users/${nora.id}/role`, { role: "admin", reason: "Helps us" })).status).toBe(202);
    await tamper(app.sql, async (tx) => {
      await tx`update deposits set created_at = now() - interval '24 hours 1 minute' where id = ${late.id}`;
      await tx`update support_tickets set waiting_since = now() - interval '9 hours', priority = 'high' where id = ${tickets[0] ?? ""}`;
      await tx`update support_tickets set waiting_since = now() - interval '9 hours', priority = 'low' where id = ${tickets[1] ?? ""}`;
    });
    const after = await queues();
    const grew = (queue: string) => [after[queue], before[queue]].map((each) => [each?.waiting ?? 0, each?.late ?? null] as const);
    for (const [queue, waits, late] of [
      ["registrations", 1, null],
      ["documents", 1, null],
      ["roles", 1, null],
      ["deposits", 2, 1],
      ["withdrawals", 0, 0],
      ["corrections", 0, null],
      ["tickets", 2, 1],
      ["chats", 1, 0],
      ["contact", 1, 0],
    ] as const) {
      const [[count, beyond], [had, hadLate]] = grew(queue) as [readonly [number, number | null], readonly [number, number | null]];
      expect([queue, count - had, beyond === null ? null : beyond - (hadLate ?? 0)]).toEqual([queue, waits, late]);
    }
    expect(Date.parse(after.deposits?.oldest ?? "")).toBeLessThan(Date.now() - DAY);
  });
});

describe("the cost of a day", () => {
  /** The rows of tables that a day's lines are read from, and which of the ledger's tables are read from end to end. */
  const readsOf = (day: string) =>
    app.sql.begin(async (tx) => {
      const counts = () => tx<{ name: string; rows: number; whole: number }[]>`
        select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows, seq_scan as whole from pg_stat_xact_user_tables order by relname
      `;
      const before = new Map((await counts()).map(({ name, ...rest }) => [name, rest]));
      await tx`select from day_lines(${day})`;
      const grown = (await counts()).map(({ name, rows, whole }) => ({
        name,
        rows: rows - (before.get(name)?.rows ?? 0),
        whole: whole - (before.get(name)?.whole ?? 0),
      }));
      return { rows: grown.reduce((all, { rows }) => all + rows, 0), whole: grown.flatMap(({ name, whole }) => (whole > 0 ? [name] : [])) };
    });

  test("does not grow with all that the house has done", async () => {
    const [clearing, bonus] = [await ledgerAccount(app.sql, "house_clearing"), await ledgerAccount(app.sql, "house_bonus")];
    const PERIOD = 200;
    const OF_A_DAY = 500;
    /** As many days again, each before all that there are. */
    const past = (from: number) =>
      tamper(app.sql, async (tx) => {
        await tx`
          insert into ledger_entries (kind, object_id, memo, created_at)
          select 'test', gen_random_uuid(), ${`long ago ${from}`}, now() - (${from} - n / ${OF_A_DAY}) * interval '1 day' from generate_series(0, ${PERIOD * OF_A_DAY - 1}) n
        `;
        await tx`
          insert into ledger_postings (entry_id, account_id, amount, balance_after)
          select e.id, s.account, s.amount, 0
          from ledger_entries e, (values (${clearing}::bigint, 1.00), (${bonus}::bigint, -1.00)) s (account, amount)
          where e.memo = ${`long ago ${from}`}
        `;
      });
    const read = async (day: string) => {
      await app.sql.unsafe("select brin_summarize_new_values('ledger_entries_time')");
      await app.sql.unsafe("analyze");
      const { rows, whole } = await readsOf(day);
      expect([day, whole]).toEqual([day, []]);
      return rows;
    };
    const days = [dayAt(0), dayAt(-100)];
    try {
      await past(PERIOD + 10);
      const before = [await read(days[0] ?? ""), await read(days[1] ?? "")];
      await past(2 * PERIOD + 10);
      for (const [n, day] of days.entries()) expect(await read(day)).toBeLessThan(1.5 * (before[n] ?? 0));
    } finally {
      await tamper(app.sql, async (tx) => {
        await tx`delete from ledger_postings where entry_id in (select id from ledger_entries where memo like 'long ago%')`;
        await tx`delete from ledger_entries where memo like 'long ago%'`;
      });
    }
  });
});
