import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { openPosition, win } from "../testing/corrections";
import { fundedTrader, type Signed, withdrawal } from "../testing/money";
import { type Account, accountsOf, fundLive, nextMillisecond, order, tamper, until } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";
import { add, sum } from "../lib/money";
import { type ClientEvent, eventKinds, type Timeline } from "./schema_timeline";

/** A client's timeline: nothing that happened is missing, nothing of anybody else's is there, and three sentences say the rest. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
let accountId: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10010");
  ann = await app.admin();
  tess = await fundedTrader(app, ann, 900);
  accountId = await fundLive(app, tess, "2000.00");
  const [kept, closed, settled] = [1, 2, 3].map(() => openPosition(tess, { accountId, amount: 3000 }));
  await Promise.all([kept, closed, settled]);
  await tess.post(`/api/trading/positions/${(await closed)?.id}/close`, {});
  await win(ann, (await settled)?.id ?? "", "5.00");
  await tess.post(`/api/trading/positions/${(await settled)?.id}/dispute`, { message: "Why?" });
  const { body: ticket } = await tess.post<{ id: string }>("/api/support/tickets", { subject: "Where is it?", message: "My money", category: "financial" });
  await tess.post(`/api/support/tickets/${ticket.id}/replies`, { message: "And now?" });
  await tess.post("/api/chat/messages", { message: "Hello" });
  const { body: refused } = await withdrawal(tess, { amount: 55 });
  await ann.post(`/api/admin/withdrawals/${refused.id}/reject`, { reason: "The name does not match" });
  await withdrawal(tess, { amount: 60 });
  await ann.post(`/api/admin/users/${tess.id}/notes`, { body: "Rang twice" });
  const waiting = () => app.sql`select from letters where status = 'waiting' limit 1`;
  await until("letters say what became of them", async () => (await waiting()).length === 0);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const timeline = async (query = "", id = tess.id) => {
  const { status, body, text } = await ann.get<Timeline>(`/api/admin/users/${id}/timeline?${query}`);
  if (status !== 200) throw new Error(`${status} ${text} ${app.lines.findLast((line) => line.includes('"error"'))}`);
  return body;
};
const titles = (events: ClientEvent[]) => events.map(({ title }) => title);

test("holds every kind, counts it, and is filtered by it", async () => {
  const all = await timeline();
  for (const kind of eventKinds) {
    const events = all.events.filter((event) => event.kind === kind);
    expect([kind, events.length]).toEqual([kind, all.counts.find((each) => each.kind === kind)?.count ?? -1]);
    expect(events.length).toBeGreaterThan(0);
    expect((await timeline(`kind=${kind}`)).events).toEqual(events);
  }
  for (const title of [
    "Deposit asked for, by bank",
    "Deposit approved",
    "Withdrawal rejected, money returned",
    "Transfer between own accounts",
    "BUY EUR/USD $3,000.00 opened",
    "BUY EUR/USD $3,000.00 closed by the client",
    "BUY EUR/USD settled by Site Administrator",
    "Objected to a correction",
    "Ticket: Where is it?",
    "Wrote again: Where is it?",
    "Chat began",
    "Signed in",
    "user.note",
    "registration.approve",
  ])
    expect(titles(all.events)).toContain(title);
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const [days, events] of [
    [`from=${day(-1)}&to=${day(1)}`, all.events],
    [`from=${day(2)}`, []],
    [`to=${day(-2)}`, []],
  ] as const)
    expect((await timeline(days)).events).toEqual([...events]);
  expect((await timeline("kind=wrong")).events.every(({ wrong }) => wrong)).toBe(true);
  expect((await ann.get(`/api/admin/users/${tess.id}/timeline?kind=gossip`)).status).toBe(400);
});

test("is shown with the zone of its moments", async () => {
  const [newest] = (await timeline()).events;
  const at = newest?.createdAt ?? "";
  expect((await ann.get(`/admin/users/${tess.id}`)).text).toContain(`<time dateTime="${at}"`);
  expect((await ann.get(`/admin/users/${tess.id}`)).text.replaceAll("<!-- -->", "")).toContain(`${at.slice(0, 19).replace("T", " ")} UTC</time>`);
});

test("goes on where a page ended, each event once, those of one moment too", async () => {
  await tamper(app.sql, async (tx) => {
    await tx`update deposits set created_at = '2026-01-05 10:00:00.001Z', decided_at = '2026-01-05 10:00:00.001Z' where user_id = ${tess.id}`;
    await tx`update refused_attempts set created_at = '2026-01-05 10:00:00.0014Z' where user_id = ${tess.id}`;
    await tx`update transfers set created_at = '2026-01-05 10:00:00.001Z' where user_id = ${tess.id}`;
  });
  const { events } = await timeline();
  for (const limit of [1, 3, 7]) {
    const seen: ClientEvent[] = [];
    for (let next: string | null = ""; next !== null;) {
      const page: Timeline = await timeline(`limit=${limit}${next ? `&cursor=${next}` : ""}`);
      seen.push(...page.events);
      next = page.next;
    }
    expect(seen.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  }
  expect(events.map(({ createdAt }) => createdAt)).toEqual(
    events
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  );
});

test("says first what there is, what went wrong last, and what waits", async () => {
  const { summary } = await timeline();
  const live = (await accountsOf(tess)).filter(({ isDemo }: Account) => !isDemo);
  const { body: money } = await tess.get<{ accountBalance: string }>("/api/user/financials");
  expect(summary.wallet).toBe(money.accountBalance);
  expect(summary.balance).toBe(sum([money.accountBalance, "60.00", ...live.map(({ balance }) => balance)]));
  expect(summary.equity).toBe(add(add(money.accountBalance, "60.00"), sum(live.map(({ equity }) => equity))));
  expect(summary.wrong).toMatchObject({ title: "Withdrawal rejected, money returned", detail: "The name does not match" });
  expect(summary.waits.map(({ what, count }) => [what, count]).toSorted()).toEqual([
    ["chat", 1],
    ["ticket", 2],
    ["withdrawal", 1],
  ]);
  const html = (await ann.get(`/admin/users/${tess.id}`)).text.replaceAll("<!-- -->", "");
  for (const words of ["Tess Trader · Timeline", "Last thing that went wrong", "The name does not match", "Waits for staff:"]) expect(html).toContain(words);
});

test("is of that client alone, for staff alone", async () => {
  const lucy = await app.trader();
  const { events, summary } = await timeline("", lucy.id);
  expect(titles(events)).toEqual(["Letter: verify email", "Signed in"]);
  expect(summary).toMatchObject({ wallet: "0.00", balance: "0.00", equity: "0.00", wrong: null, waits: [{ what: "registration", count: 1 }] });
  expect((await tess.get(`/api/admin/users/${tess.id}/timeline`)).status).toBe(403);
  expect((await ann.get(`/api/admin/users/${crypto.randomUUID()}/timeline`)).status).toBe(404);
});

const limit = { ...order, amount: 600, orderType: "limit", triggerPrice: "1.05000" };

test("tells of orders that wait, and of those that ended unfilled, in the words of the client's own page", async () => {
  const olga = await app.trader();
  const [account] = await accountsOf(olga);
  const { id } = await openPosition(olga, limit);
  await olga.post(`/api/trading/positions/${id}/cancel`);
  await nextMillisecond(app.sql);
  await openPosition(olga, limit);
  const where = `limit at 1.05000; ${account?.accountNumber}, demo`;
  const { events } = await timeline("kind=deals", olga.id);
  expect(events).toMatchObject([
    { title: "BUY EUR/USD $600.00 order waits", detail: where, wrong: false },
    { title: "BUY EUR/USD $600.00 order cancelled", detail: `placed at this moment, ended later: Cancelled by the trader; ${where}`, wrong: false },
  ]);
  const { text } = await olga.get("/");
  for (const title of titles(events)) expect(text).toContain(title.replace("$600.00 ", ""));
});

test("reads no more of a client's orders, however many ended unfilled", async () => {
  const olga = await app.trader();
  const endThirty = async () => {
    for (let n = 0; n < 30; n++) await openPosition(olga, limit);
    const { body } = await olga.post<{ cancelled: unknown[] }>("/api/trading/positions/cancel-all", {});
    expect(body.cancelled).toHaveLength(30);
  };
  const read = async () => {
    const sent = await sentBy(app.sql, () => timeline("kind=deals&limit=5", olga.id));
    const [list] = sent.filter(({ text, values }) => text.includes("l.place as href") && !values.includes("money"));
    if (!list) throw new Error("the timeline asked otherwise");
    const settings = sent.filter(({ text }) => text.startsWith("set local"));
    expect(settings.length).toBeGreaterThan(0);
    return rowsRead(app.sql, list, settings);
  };
  await endThirty();
  const few = await read();
  await endThirty();
  expect(await read()).toBeLessThanOrEqual(few);
});
