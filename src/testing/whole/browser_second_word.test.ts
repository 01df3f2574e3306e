import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, openStaff } from "../browser";
import { type TestApp, testApp } from "../app";
import { lose, openLive, openPosition, win } from "../corrections";
import { violations } from "../inspect";
import type { Tx } from "../../platform/database/db";
import { waitingDocument } from "../files";
import { deposit, fundedTrader, withdrawal } from "../money";
import { tamper } from "../scenarios";

/** What waits for a second administrator, what traders object to, and what visitors wrote: evidence beside it, and the way to put it away. And in no queue a row moves. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
let ann: (typeof staff)["ann"];
let bea: (typeof staff)["bea"];
let at: (typeof staff)["at"];
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  staff = await openStaff(app);
  ({ ann, bea, at } = staff);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

/** Chooses a time in the dialog that is open: the second of a double press would hit nothing of it. */
const inAnHour = (page: Page, after: string) =>
  eventually(async () => {
    const choice = page.getByRole("button", { name: "In 1 hour" });
    if (await choice.isVisible()) await choice.click({ timeout: 2000 });
    await page.getByText(after).waitFor({ timeout: 3000 });
  });

/** Account numbers of which a part is not seen. */
const cutNumbers = (page: Page) =>
  page
    .locator("tr[data-row] [data-cell=account] .line")
    .evaluateAll((all) => all.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent));

/** Each queue of staff: where it stands, the tables that its rows are of, and what is told when one comes. */
const QUEUES: { path: string; rows?: string; tables: string[]; tell: (userId: string) => void }[] = [
  { path: "deposits", tables: ["deposits"], tell: () => app.context.bus.publish("request", { kind: "deposit", id: crypto.randomUUID(), status: "pending" }) },
  {
    path: "withdrawals",
    tables: ["withdrawals"],
    tell: () => app.context.bus.publish("request", { kind: "withdrawal", id: crypto.randomUUID(), status: "pending" }),
  },
  { path: "registrations", tables: ["users"], tell: () => app.context.bus.publish("staff", { about: "person" }) },
  { path: "trades&status=waiting", tables: ["correction_requests"], tell: () => app.context.bus.publish("staff", { about: "correction" }) },
  { path: "trades&status=disputes", tables: ["positions", "corrections", "disputes"], tell: () => app.context.bus.publish("staff", { about: "correction" }) },
  { path: "support", tables: ["support_tickets"], tell: (userId: string) => app.context.bus.publish("ticket", { userId, ticketId: crypto.randomUUID() }) },
  {
    path: "support&view=chat",
    tables: ["chat_sessions"],
    tell: (userId: string) => app.context.bus.publish("chat", { userId, sessionId: crypto.randomUUID(), about: "message", from: "trader", number: 1 }),
  },
  { path: "support&view=contact", tables: ["contact_messages"], tell: () => app.context.bus.publish("staff", { about: "contact" }) },
  { path: "kyc", tables: ["documents"], tell: () => app.context.bus.publish("staff", { about: "person" }) },
  // A page of users is fifty: of these the newcomers are the first.
  {
    path: "users&sort=created",
    rows: "table:has(caption:text-is('Users')) [data-row]",
    tables: ["users"],
    tell: () => app.context.bus.publish("staff", { about: "person" }),
  },
  { path: "users", tables: ["role_requests"], tell: () => app.context.bus.publish("staff", { about: "person" }) },
];
/** When all copies were made, as SQL: by each transaction's own time, on a machine on which pages open for minutes, later ones would stand below. */
const MADE = `timestamptz '${new Date().toISOString()}'`;
/** What a copy of a row has of its own, by which it is found; `n` counts the copies, and each stands above those of before. */
const OWN: Record<string, string> = {
  users: "'email', 'copy' || n || '@t.test', 'referral_code', 'COPY' || lpad(n::text, 6, '0'),",
  ledger_accounts: "'owner_id', md5('users' || n)::uuid,",
  corrections: "'position_id', md5('positions' || n)::uuid,",
  disputes: "'position_id', md5('positions' || n)::uuid,",
  support_tickets: `'waiting_since', ${MADE} - interval '9 days' - n * interval '1 minute',`,
  chat_sessions: `'waiting_since', null, 'ended_at', ${MADE}, 'ended_by', t.user_id, 'last_at', ${MADE} + interval '1 day' + n * interval '1 minute',`,
};
/** The column that says which row it is, and the table whose copies it names. */
const KEYS: Record<string, [key: string, of: string]> = { ledger_accounts: ["owner_id", "users"], corrections: ["position_id", "positions"] };
/** Copies a row of the table so often, as no command would. */
async function copy(tx: Tx, table: string, from: number, to: number, source: string) {
  const columns = await tx<{ name: string }[]>`
    select quote_ident(column_name) as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'
  `;
  const names = columns.map(({ name }) => name);
  const [key] = KEYS[table] ?? ["id"];
  await tx.unsafe(
    `insert into ${table} (${names.join()})
    select ${names.map((name) => `r.${name}`).join()}
    from generate_series($2::integer, $3::integer) n
    cross join lateral (
      select to_jsonb(t) || jsonb_build_object(
        ${OWN[table] ?? ""} ${key === "id" ? `'id', md5('${table}' || n)::uuid,` : ""} 'created_at', ${MADE} - interval '1 day' - n * interval '1 minute'
      ) as row
      from ${table} t where t.${key} = $1
    ) made
    cross join lateral jsonb_populate_record(null::${table}, made.row) r`,
    [source, from, to],
  );
}
const forget = (tx: Tx, table: string) => {
  const [key, of] = KEYS[table] ?? ["id", table];
  return tx.unsafe(`delete from ${table} where ${key} in (select md5('${of}' || n)::uuid from generate_series(1, 60) n)`);
};

test("a correction that waits: evidence walks with the keys, it is put away, and comes back", async () => {
  const ids: string[] = [];
  for (const reason of ["The first late tick", "The second late tick"]) ids.push((await lose(ann, (await openLive(app)).position.id, 20, reason)).body.id);
  const page = await at(bea, "/admin?tab=trades&status=waiting");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByText("The first late tick").waitFor();
  await panel.getByText("Client since").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("The second late tick").waitFor();
  expect(await cutNumbers(page)).toEqual([]);
  await page.keyboard.press("k");
  await panel.getByText("The first late tick").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Confirm: BUY EUR/USD $1,000.00" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: "Put away: Correction of BUY EUR/USD $1,000.00" }).waitFor();
  await inAnHour(page, "1 put away by you");
  const other = await at(ann, "/admin?tab=trades&status=waiting");
  await other
    .locator(`tr[data-row="${ids[0]}"]`)
    .getByText(/Bea Administrator put this away until/)
    .waitFor();
  await page.reload();
  await page.locator(`tr[data-row="${ids[1]}"]`).waitFor();
  expect(await page.locator(`tr[data-row="${ids[0]}"]`).count()).toBe(0);
  await page.getByText("1 put away by you").click();
  await page.getByRole("button", { name: "Bring back Correction of BUY EUR/USD $1,000.00" }).click();
  // It was asked for, so it comes though somebody is in the list.
  await page.locator(`tr[data-row="${ids[0]}"]`).waitFor();
  // Where there is no room beside the list, it is a press away.
  const tablet = await at(bea, "/admin?tab=trades&status=waiting", { width: 768, height: 1024 });
  await tablet
    .getByRole("button", { name: /^Evidence for BUY EUR\/USD/ })
    .first()
    .click();
  await tablet.getByRole("dialog").getByText("Client since").waitFor();
  expect(await violations(tablet)).toEqual([]);
});

test("an objection: the words of both beside the list, and it is put away", async () => {
  const tess = await app.trader({ firstName: "Tess" });
  for (const message of ["I doubt the first", "I doubt the second"]) {
    const { id } = await openPosition(tess);
    await win(ann, id, 5, "A late price");
    await tess.post(`/api/trading/positions/${id}/dispute`, { message });
  }
  const page = await at(bea, "/admin?tab=trades&status=disputes");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  // Who objected first is first.
  await panel.getByText("I doubt the first").waitFor();
  await panel.getByText("A late price").waitFor();
  await panel.getByText("2, 2 disputed").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("I doubt the second").waitFor();
  expect(await cutNumbers(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Put away..." }).click();
  await inAnHour(page, "1 put away by you");
  await page.reload();
  await panel.getByText("I doubt the first").waitFor();
  expect(await page.locator("tr[data-row]").count()).toBe(1);
});

test("what visitors wrote: who waits longest first, the whole of it beside the list, decided by the keys, and put away", async () => {
  for (const subject of ["The first letter", "The second letter"])
    await app.stranger().post("/api/contact", { name: "Vera Visitor", email: "vera@example.test", subject, message: `${subject} has more to say` });
  const page = await at(bea, "/admin?tab=support&view=contact");
  const asked: string[] = [];
  page.on("request", (request) => void (request.url().includes("/evidence/") && asked.push(request.url())));
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByText("The first letter has more to say").waitFor();
  await panel.getByText("No client has this address.").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("The second letter has more to say").waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Put away..." }).click();
  await inAnHour(page, "1 put away by you");
  await page.reload();
  await panel.getByText("The first letter has more to say").waitFor();
  // Of strangers nothing can be known, so that nothing is asked.
  expect(asked).toEqual([]);
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Mark answered: Vera Visitor" });
  await dialog.waitFor();
  await eventually(async () => {
    if (await dialog.isVisible()) await dialog.getByRole("button", { name: "Mark answered" }).click({ timeout: 2000 });
    await page.locator("tr[data-marked]").getByText("Answered").first().waitFor({ timeout: 3000 });
  });
  expect(await app.sql`select from contact_messages where status = 'answered'`).toHaveLength(1);
});

test("of a client's letter evidence is shown, and nothing below the list moves when it comes", async () => {
  await app.sql`delete from contact_messages`;
  const tess = await app.trader();
  await tess.post("/api/contact", { name: "Tess Trader", email: tess.email, subject: "Mine", message: "Hello" });
  const comes = Promise.withResolvers<void>();
  const page = await staff.visitAs(bea);
  await page.route("**/api/admin/evidence/**", async (route) => {
    await comes.promise;
    await route.continue();
  });
  const sent = page.waitForRequest("**/api/admin/evidence/letter/**");
  await page.goto("/admin?tab=support&view=contact");
  await sent;
  const below = page.getByRole("complementary", { name: "Admin app" });
  const foot = () => below.evaluate((each) => each.getBoundingClientRect().top + scrollY);
  const before = await foot();
  comes.resolve();
  await page.getByRole("complementary", { name: "Evidence" }).getByText("Client since").waitFor();
  expect(await foot()).toBe(before);
});

test("who is to become an administrator is decided on the list of users, with what is known of the person a press away", async () => {
  for (const firstName of ["Nora", "Otto"]) {
    const person = await app.trader({ firstName, password: "Corr3ct-horse-battery" });
    await ann.post(`/api/admin/approve-registration/${person.id}`);
    expect((await ann.post(`/api/admin/users/${person.id}/role`, { role: "admin", reason: `${firstName} helps us` })).status).toBe(202);
  }
  const [page, own] = [await at(bea, "/admin?tab=users"), await at(ann, "/admin?tab=users")];
  await own.getByText("Another administrator decides").first().waitFor();
  const queue = page.getByRole("table", { name: "New administrators that wait for a second one" });
  expect(await queue.locator("tbody tr").first().innerText()).toContain("Nora");
  await queue.getByRole("button", { name: /^Evidence for Nora/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Nora/ });
  await dialog.getByText("Client since").waitFor();
  expect(await violations(page)).toEqual([]);
  await eventually(async () => {
    const away = dialog.getByRole("button", { name: "Put away..." });
    if (await away.isVisible()) await away.click({ timeout: 2000 });
    await page.getByRole("dialog", { name: /^Put away: Nora/ }).waitFor({ timeout: 3000 });
  });
  await inAnHour(page, "1 put away by you");
  await queue.getByRole("button", { name: /^Decline Otto/ }).click();
  await eventually(async () => {
    const decline = page.getByRole("dialog").getByRole("button", { name: "Decline" });
    if (await decline.isVisible()) await decline.click({ timeout: 2000 });
    await queue.locator("tr", { hasText: "Otto" }).getByText("Declined").waitFor({ timeout: 3000 });
  });
  expect(await app.sql`select from role_decisions where decision = 'declined'`).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
});

test("no row of any queue moves under the pointer while fifty events come", async () => {
  const tess = await fundedTrader(app, ann, 400);
  const corrected = (await openLive(app)).position.id;
  const disputed = (await openPosition(tess)).id;
  await win(ann, disputed, 5, "A late price");
  const id = async (answer: Promise<{ body: object }>) => ((await answer).body as { id: string }).id;
  const waits = (await app.trader({ firstName: "Waits" })).id;
  const rises = (await app.trader({ firstName: "Rises", password: "Corr3ct-horse-battery" })).id;
  await ann.post(`/api/admin/approve-registration/${rises}`);
  const sources: Record<string, string> = {
    deposits: await id(deposit(tess)),
    withdrawals: await id(withdrawal(tess)),
    users: waits,
    ledger_accounts: waits,
    correction_requests: await id(lose(ann, corrected, 20)),
    positions: disputed,
    corrections: disputed,
    disputes: await id(tess.post(`/api/trading/positions/${disputed}/dispute`, { message: "I doubt it" })),
    support_tickets: await id(tess.post("/api/support/tickets", { subject: "Wait", message: "Please", category: "general" })),
    chat_sessions: (await tess.post<{ sessionId: string }>("/api/chat/messages", { message: "Hello" })).body.sessionId,
    documents: await waitingDocument(app.sql, tess.id),
    role_requests: await id(ann.post(`/api/admin/users/${rises}/role`, { role: "admin", reason: "Helps us" })),
    contact_messages: await id(app.stranger().post("/api/contact", { name: "Vera", email: "vera@t.test", message: "Hello" })),
  };
  const come = (from: number, to: number) =>
    tamper(app.sql, async (tx) => {
      for (const table of Object.keys(sources)) await copy(tx, table, from, to, sources[table] as string);
    });
  await come(1, 4);
  const first = await at(bea, `/admin?tab=${QUEUES[0]?.path}`);
  const pages = [first];
  for (const { path } of QUEUES.slice(1)) {
    const page = await first.context().newPage();
    await page.goto(`/admin?tab=${path}`);
    pages.push(page);
  }
  const spots = await Promise.all(
    pages.map(async (page, n) => {
      const row = page.locator(QUEUES[n]?.rows ?? "main [data-row]").nth(2);
      const box = await row.boundingBox();
      if (!box) throw new Error(`${page.url()} has no rows`);
      const spot = { x: box.x + box.width / 3, y: box.y + box.height / 2 };
      await page.mouse.move(spot.x, spot.y);
      return { page, spot, id: await row.getAttribute("data-row") };
    }),
  );
  const under = () =>
    Promise.all(
      spots.map(({ page, spot }) => page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-row]")?.dataset.row, spot)),
    );
  const were = spots.map((spot) => spot.id ?? undefined);
  for (let wave = 0; wave < 5; wave++) {
    await come(5 + wave * 10, 14 + wave * 10);
    for (const { tell } of QUEUES) for (let n = 0; n < 10; n++) tell(tess.id);
    expect(await under()).toEqual(were);
  }
  // All have heard of it, and nothing has moved.
  for (const { page } of spots)
    await eventually(async () =>
      expect([page.url(), ...(await page.locator("[data-fresh]").evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.fresh)))]).toEqual(
        // Where two lists stand below each other, each says it, and a hand in one holds the other still.
        [page.url(), "50", ...(page.url().includes("sort=created") ? ["50"] : page.url().includes("tab=users") ? [expect.any(String)] : [])],
      ),
    );
  expect(await under()).toEqual(were);
  await first.context().close();
  await tamper(app.sql, async (tx) => {
    for (const table of Object.keys(sources)) await forget(tx, table);
  });
});
