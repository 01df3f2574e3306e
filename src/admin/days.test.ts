import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cents, money, sum } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { openPosition, win } from "../testing/corrections";
import { deposit, fundedTrader, times, withdrawal } from "../testing/money";
import { fundLive, handHeld, ledgerAccount, post, tamper, until, waiting } from "../testing/scenarios";
import { changesBetween } from "./rules_days";
import { type ClosedDay, type DayBook, type DayPart, resultParts } from "./schema_days";

/** A day's figures against the ledger, and the closing of days. */

const MS_OF_DAY = 86_400_000;
let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let bob: Awaited<ReturnType<TestApp["admin"]>>;
/** Days from today by the database's calendar. */
let dayAt: (days: number) => string;
const BUSY = -3;

beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  const [row] = await app.sql<{ now: string }[]>`select now()`;
  dayAt = (days) => new Date(Date.parse(row?.now ?? "") + days * MS_OF_DAY).toISOString().slice(0, 10);
  await app.quote("EUR/USD", "1.10000", "1.10010");
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
  await busyDay();
  // All of it was three days ago, and the first administrator came a month before.
  await tamper(app.sql, async (tx) => {
    await tx`update ledger_entries set created_at = created_at + ${BUSY} * interval '1 day'`;
    await tx`update users set created_at = created_at - interval '30 days' where id = ${ann.id}`;
  });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** Deposits by every method, a bonus, pay-outs, gains, losses, parts, a correction, and a loss beyond what an account held. */
async function busyDay() {
  const tess = await fundedTrader(app, ann, 900);
  const accountId = await fundLive(app, tess, "2000.00");
  for (const over of [
    { method: "card", amount: 6000 },
    { method: "crypto", currency: "BTC", amount: 250.55, transactionHash: "ab".repeat(32) },
  ]) {
    const { body } = await deposit(tess, over);
    expect((await ann.post(`/api/admin/deposits/${body.id}/approve`, { confirmAmount: over.amount })).status).toBe(200);
  }
  const { body: paid } = await withdrawal(tess, { amount: 77.7 });
  expect((await ann.post(`/api/admin/withdrawals/${paid.id}/approve`, { confirmAmount: 77.7 })).status).toBe(200);
  await withdrawal(tess, { amount: 60 });
  const [whole, parted, corrected] = await Promise.all([1, 2, 3].map(() => openPosition(tess, { accountId, amount: 30_000 })));
  const sold = await openPosition(tess, { accountId, amount: 5000, type: "sell" });
  const lucy = await fundedTrader(app, ann, 100);
  const thin = await fundLive(app, lucy, "300.00");
  await openPosition(lucy, { accountId: thin, amount: 29_000 });
  await app.quote("EUR/USD", "1.10310", "1.10322");
  await tess.post(`/api/trading/positions/${whole?.id}/close`, {});
  await tess.post(`/api/trading/positions/${parted?.id}/close`, { amount: 1234.56 });
  expect((await win(ann, corrected?.id ?? "", "12.34")).body.status).toBe("pending_second_approval");
  const [request] = (await bob.get<{ id: string }[]>("/api/admin/corrections")).body;
  expect((await bob.post(`/api/admin/corrections/${request?.id}/confirm`)).status).toBe(200);
  await tess.post(`/api/trading/positions/${sold.id}/close`, {});
  // Lucy's last position is closed below zero.
  await app.quote("EUR/USD", "1.08000", "1.08010");
  await app.quote("EUR/USD", "1.08000", "1.08010");
}

async function bookOf(day: string): Promise<DayBook> {
  const { status, body, text } = await ann.get<DayBook>(`/api/admin/days/${day}`);
  if (status !== 200) throw new Error(`no day: ${status} ${text} ${app.lines.findLast((line) => line.includes("error"))}`);
  return body;
}
const part = ({ figures }: DayBook, name: DayPart) => sum(figures.parts.filter((each) => each.part === name).map(({ amount }) => amount));

type Posting = { kind: string; entry: string; object: string; amount: string };
/** The house's live postings of a day, without any of the program's own queries. */
const postingsOf = (day: string) => app.sql<Posting[]>`
  select a.kind, e.kind as entry, e.object_id as object, p.amount
  from ledger_postings p join ledger_entries e on e.id = p.entry_id join ledger_accounts a on a.id = p.account_id
  where a.book = 'live' and a.kind like 'house%' and to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD') = ${day}
`;
const total = (rows: readonly Posting[], holds: (row: Posting) => boolean) => sum(rows.filter(holds).map(({ amount }) => amount));
const minus = (amount: string) => money(-cents(amount));

describe("a day's figures", () => {
  test("are the ledger's postings to the cent, each part of them", async () => {
    const book = await bookOf(dayAt(BUSY));
    const rows = await postingsOf(dayAt(BUSY));
    const on = (...kinds: string[]) => total(rows, ({ kind }) => kinds.includes(kind));
    expect(book.figures.house).toBe(on("house_pnl", "house_adjustment", "house_bonus"));
    expect(sum(resultParts.map((name) => part(book, name)))).toBe(book.figures.house);
    expect(sum([part(book, "spread"), part(book, "clients")])).toBe(on("house_pnl"));
    expect(sum([part(book, "corrections"), part(book, "forgiven")])).toBe(on("house_adjustment"));
    expect(part(book, "bonuses")).toBe(on("house_bonus"));
    expect([book.figures.moneyIn, book.figures.moneyOut]).toEqual([
      minus(total(rows, ({ kind, amount }) => kind === "house_clearing" && amount.startsWith("-"))),
      minus(total(rows, ({ kind, amount }) => kind === "house_clearing" && !amount.startsWith("-"))),
    ]);
    // Nothing of the scenario is missing from the proof.
    for (const name of ["spread", "clients", "corrections", "forgiven", "bonuses", "in", "out"] as const)
      expect([name, part(book, name)]).not.toEqual([name, "0.00"]);
  });

  test("tell money by method, corrections as they are disclosed, and the spread as the receipts have it", async () => {
    const book = await bookOf(dayAt(BUSY));
    const money = book.figures.parts.filter(({ method }) => method).map(({ part: name, method, count, amount }) => [name, method, count, amount]);
    expect(money).toEqual([
      ["in", "bank", 2, "1000.00"],
      ["in", "card", 1, "6000.00"],
      ["in", "crypto", 1, "250.55"],
      ["in", "other", 2, "2300.00"],
      ["out", "bank", 1, "-77.70"],
    ]);
    const [corrected] = await app.sql<{ given: string }[]>`select market_profit - settled_profit as given from corrections`;
    expect(part(book, "corrections")).toBe(corrected?.given ?? "");
    const dealt = await app.sql<{ amount: string; open: string; half: string }[]>`
      select p.amount, p.open_price as open, (
        select sum(abs(f.price - (f.bid + f.ask) / 2)) from fills f
        where (f.kind = 'close' and f.position_id = p.id) or (f.kind = 'open' and f.position_id = coalesce(p.parent_id, p.id))
      ) as half
      from positions p join trading_accounts a on a.id = p.account_id where p.status = 'closed' and not a.is_demo
    `;
    expect(part(book, "spread")).toBe(sum(dealt.map(({ amount, open, half }) => ((Number(amount) * Number(half)) / Number(open)).toFixed(2))));
    expect(Number(part(book, "spread"))).toBeGreaterThan(0);
  });

  test("are those of that day alone", async () => {
    expect((await bookOf(dayAt(BUSY + 1))).figures).toMatchObject({ house: "0.00", moneyIn: "0.00", moneyOut: "0.00", lastEntry: 0 });
    const [wallet, clearing] = [await ledgerAccount(app.sql, "house_bonus"), await ledgerAccount(app.sql, "house_clearing")];
    const entry = await post(app.sql, wallet, clearing, "5.00");
    for (const [at, day] of [
      ["23:59:59.999999", BUSY - 10],
      ["00:00:00", BUSY - 9],
    ] as const) {
      await tamper(app.sql, (tx) => tx`update ledger_entries set created_at = ${`${dayAt(day)} ${at}+00`} where id = ${entry}`);
      for (const other of [BUSY - 10, BUSY - 9, BUSY - 8]) expect((await bookOf(dayAt(other))).figures.house).toBe(other === day ? "5.00" : "0.00");
    }
  });

  test("name whom they moved most, and lead to lines that add up to them", async () => {
    const book = await bookOf(dayAt(BUSY));
    expect(book.byResult.length).toBe(2);
    expect(minus(sum(book.byResult.map(({ result }) => result)))).toBe(
      sum(["spread", "clients", "corrections", "forgiven"].map((name) => part(book, name as DayPart))),
    );
    expect(sum(book.byMoney.map(({ moneyIn }) => moneyIn))).toBe(book.figures.moneyIn);
    const words = (html: string) =>
      html
        .replaceAll("<!-- -->", "")
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ");
    for (const { part: name, method, count } of book.figures.parts) {
      const { text } = await ann.get(`/admin?tab=today&day=${book.day}&part=${name}${method ? `&method=${method}` : ""}`);
      expect([name, method, text.match(/data-row="\d+-\w+"/g)?.length ?? 0]).toEqual([name, method, count]);
      expect(words(text)).toContain(`in ${count} lines`);
    }
    const { text } = await ann.get(`/admin?tab=today&day=${book.day}`);
    for (const { part: name, method } of book.figures.parts)
      expect(text).toContain(`day=${book.day}&amp;part=${name}${method ? `&amp;method=${method}` : ""}"`);
  });

  test("say of today what floats: what clients would lose if all closed now", async () => {
    const eve = await fundedTrader(app, ann, 100);
    const accountId = await fundLive(app, eve, "1000.00");
    const before = await bookOf(dayAt(0));
    const { id } = await openPosition(eve, { accountId, amount: 5000 });
    await app.quote("EUR/USD", "1.08200", "1.08210");
    const now = async () => (await app.context.sql.begin((tx) => tx`select 1`), (await bookOf(dayAt(0))).floating);
    await until("the shared figures are read anew", async () => (await now()) !== before.floating);
    const [open] = (await ann.get<{ id: string; profit: string }[]>("/api/admin/trading-positions?account=live")).body.filter((row) => row.id === id);
    const others = (await ann.get<{ profit: string }[]>("/api/admin/trading-positions?account=live")).body;
    expect(open).toBeDefined();
    await until("it is what the list of positions adds up to", async () => (await now()) === minus(sum(others.map(({ profit }) => profit))));
    await eve.post(`/api/trading/positions/${id}/close`, {});
  });

  test("say of a day that is over what floated as it ended, closed since or not; and nothing where no price of then is kept", async () => {
    const eve = await fundedTrader(app, ann, 100);
    const accountId = await fundLive(app, eve, "1000.00");
    const { id, openPrice } = await openPosition(eve, { accountId, amount: 5000 });
    const [row] = (await ann.get<{ id: string; spreadsFrom: string }[]>(`/api/admin/trading-positions?id=${id}`)).body;
    await tamper(app.sql, (tx) => tx`update positions set opened_at = ${`${dayAt(-2)} 12:00+00`} where id = ${id}`);
    await until("its price is recorded", async () => (await app.sql`select from quotes where symbol = 'EUR/USD'`).length === 1);
    const before = (await bookOf(dayAt(-3))).floating;
    expect((await bookOf(dayAt(-1))).floating).toBeNull();
    await app.sql`
      insert into candles (source, symbol, interval, time, open, high, low, close)
      select source, symbol, '1d', ${`${dayAt(-1)} 00:00+00`}::timestamptz, 1.1, 1.3, 1.1, 1.2 from quotes where symbol = 'EUR/USD'
    `;
    const bid = 1.2 - (Number(row?.spreadsFrom) * 0.0001) / 2;
    const gained = ((5000 * (bid - Number(openPrice))) / Number(openPrice)).toFixed(2);
    expect((await bookOf(dayAt(-1))).floating).toBe(`-${gained}`);
    expect((await ann.get(`/admin?tab=today&day=${dayAt(-1)}`)).text).toContain("as the day ended, by its last mid prices");
    await eve.post(`/api/trading/positions/${id}/close`, {});
    expect((await bookOf(dayAt(-1))).floating).toBe(`-${gained}`);
    // Before it was opened, nothing of it floated; and of a day without a price nothing is said.
    expect((await bookOf(dayAt(-3))).floating).toBe(before as string);
    expect((await ann.get(`/admin?tab=today&day=${dayAt(-2)}`)).text).toContain("not known: no prices of then are kept");
  });

  test("are for staff, of days that there are", async () => {
    for (const day of ["2026-13-01", "yesterday", "2026-02-30x", "99999-01-01", "1999-12-31"])
      expect((await ann.get(`/api/admin/days/${day}`)).status).toBe(404);
    expect((await ann.get(`/api/admin/days/${dayAt(2)}`)).status).toBe(404);
    expect((await ann.get(`/admin/days/${dayAt(2)}`)).status).toBe(404);
    const tess = await app.trader();
    expect((await tess.get(`/api/admin/days/${dayAt(0)}`)).status).toBe(403);
    expect((await tess.post(`/api/admin/days/${dayAt(-1)}/close`)).status).toBe(403);
    const { text } = await tess.get(`/admin/days/${dayAt(BUSY)}`);
    expect(text).toContain("Admin Access Required");
    expect(text).not.toContain("6,000.00");
    expect((await ann.get(`/admin?tab=today&day=nonsense`)).text).toContain("Today, ");
  });
});

describe("closing a day", () => {
  const close = (day: string, by = ann) => by.post<ClosedDay & { message: string }>(`/api/admin/days/${day}/close`);
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

  test("is for days that are over and on which somebody was here, the first of them any", async () => {
    expect((await close(dayAt(0))).body.message).toContain("not over");
    expect((await close(dayAt(1))).status).toBe(409);
    expect((await close(dayAt(BUSY - 40))).body.message).toContain("Nobody was here");
    expect((await bookOf(dayAt(0))).closing).toEqual({ next: dayAt(-1), behind: 1 });
  });

  test("counts what was being booked in its last moment", async () => {
    const hand = await handHeld(app.db);
    const [bonus, clearing] = [await ledgerAccount(app.sql, "house_bonus"), await ledgerAccount(app.sql, "house_clearing")];
    const before = await bookOf(dayAt(BUSY));
    try {
      const entry = await post(hand.sql, bonus, clearing, "7.00");
      await hand.sql.unsafe("set local session_replication_role = replica");
      await hand.sql`update ledger_entries set created_at = ${`${dayAt(BUSY)} 23:59:59.9+00`} where id = ${entry}`;
      const closing = close(dayAt(BUSY));
      await until("the closing waits", async () => (await waiting(app.sql)) === 1);
      await hand.commit();
      const { status, body } = await closing;
      expect([status, body.figures.house]).toEqual([200, money(cents(before.figures.house) + 700n)]);
    } finally {
      await hand.end();
    }
  });

  test("is done once, by one of twenty, and in the order of days", async () => {
    expect((await close(dayAt(-1))).body.message).toContain(`${dayAt(BUSY + 1)} comes first`);
    const answers = await times(20, (n) => close(dayAt(BUSY + 1), n % 2 ? ann : bob));
    expect(statuses(answers)).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(await app.sql`select from closed_days`).toHaveLength(2);
    expect(await app.sql`select from admin_actions where action = 'day.close'`).toHaveLength(2);
    expect((await close(dayAt(BUSY))).body.message).toContain("closed already");
    // Two days at once: the later one only after the earlier.
    const both = await Promise.all([close(dayAt(-1)), close(dayAt(-1), bob)]);
    expect(statuses(both)).toEqual([200, 409]);
    expect((await bookOf(dayAt(0))).closing).toEqual({ next: null, behind: 0 });
  });

  test("stands in the audit book's chain, and nobody changes it", async () => {
    const { closed } = await bookOf(dayAt(BUSY));
    const [entry] = await app.sql<{ hash: string; details: { figures: unknown } }[]>`select hash, details from admin_actions where id = ${closed?.entry ?? 0}`;
    expect(entry?.hash).toBe(closed?.hash ?? "");
    expect(JSON.stringify(entry?.details.figures)).toBe(JSON.stringify(closed?.figures));
    expect((await ann.get<{ ok: boolean }>("/api/admin/audit-trail/verify")).body.ok).toBe(true);
    for (const change of ["delete from closed_days", "update closed_days set floating = 1", "truncate closed_days"])
      expect(
        await app.sql.unsafe(change).then(
          () => "done",
          () => "refused",
        ),
      ).toBe("refused");
    for (const change of ["delete from closed_days", "insert into closed_days select * from closed_days"])
      expect(
        await app.context.sql.unsafe(change).then(
          () => "done",
          (error: { code?: string }) => error.code,
        ),
      ).toBe("42501");
  });

  test("leaves a file for spreadsheets and a page for paper, with the hash", async () => {
    const { closed, figures } = await bookOf(dayAt(BUSY));
    const file = await ann.fetch("GET", `/api/admin/days/${dayAt(BUSY)}?format=csv`);
    expect(file.headers.get("content-disposition")).toContain(`day-${dayAt(BUSY)}.csv`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    for (const words of [`"House's realised result","${figures.house}"`, '"Money in, card","6000.00","1"', closed?.hash ?? "?"]) expect(text).toContain(words);
    const { text: page } = await ann.get(`/admin/days/${dayAt(BUSY)}`);
    for (const words of [closed?.hash ?? "?", "6,000.00", "Nothing has changed since"]) expect(page).toContain(words);
  });

  test("keeps its figures, and tells what was booked to the day afterwards", async () => {
    const before = await bookOf(dayAt(BUSY));
    const [bonus, pnl] = [await ledgerAccount(app.sql, "house_bonus"), await ledgerAccount(app.sql, "house_pnl")];
    const entry = await post(app.sql, bonus, pnl, "-40.00");
    await tamper(app.sql, (tx) => tx`update ledger_entries set created_at = ${`${dayAt(BUSY)} 12:00+00`} where id = ${entry}`);
    const after = await bookOf(dayAt(BUSY));
    expect(after.closed).toEqual(before.closed);
    expect(changesBetween(after.closed?.figures ?? after.figures, after.figures)).toMatchObject([
      { name: "Clients' results before spread", by: "40.00" },
      { name: "Bonuses", by: "-40.00" },
    ]);
    const { text } = await ann.get(`/admin?tab=today&day=${dayAt(BUSY)}`);
    expect(text).toContain("Changed since it was closed");
    const { text: lines } = await ann.get(`/admin?tab=today&day=${dayAt(BUSY)}&since=closing`);
    expect([...lines.matchAll(/data-row="(\d+)-/g)].map(([, id]) => Number(id))).toEqual([entry, entry]);
  });
});
