import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { HOUR } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { png } from "../testing/files";
import { approvedWithMoney } from "../testing/letters";
import { deposit, type Signed, times, withdrawal } from "../testing/money";
import { endRecords } from "./commands_privacy";

/** What is kept of a closed account is deleted once its time is over, and not a day before; the journal stays. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const ok = async <T>(answer: Promise<{ status: number; text: string; body: T }>): Promise<T> => {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
};
const IBAN = "AT61 1904 3002 3457 3201";
const WORDS = "Zanzibar";

/** Somebody of whom there is something everywhere, and who has left. */
async function left(): Promise<Signed> {
  const tess = await app.trader({ country: "DE" });
  const form = new FormData();
  form.set("kind", "identity");
  form.set("file", new File([png() as BlobPart], "a.png"));
  const sent = await app.router.handle(new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: tess.cookie } }));
  const { id: document } = (await sent.json()) as { id: string };
  await ok(ann.get(`/api/admin/kyc/documents/${document}`));
  const ticket = await ok(tess.post<{ id: string }>("/api/support/tickets", { subject: WORDS, message: WORDS, category: "general" }));
  await ok(tess.post(`/api/support/tickets/${ticket.id}/replies`, { message: WORDS }));
  await ok(ann.post(`/api/admin/support-tickets/${ticket.id}`, { adminResponse: WORDS }));
  await app.sql`
    insert into ticket_files (ticket_id, author_id, is_from_staff, name, media_type, content) values (${ticket.id}, ${tess.id}, false, ${WORDS}, 'image/png', ${png()})
  `;
  await ok(tess.post("/api/chat/messages", { message: WORDS, clientId: crypto.randomUUID() }));
  await ok(ann.post(`/api/admin/users/${tess.id}/notes`, { body: WORDS }));
  const lists = [{ id: crypto.randomUUID(), name: WORDS, symbols: ["EUR/USD"] }];
  expect((await tess.fetch("PUT", "/api/watchlists", { body: { version: 0, lists } })).status).toBe(200);
  const asked = await ok(deposit(tess, { amount: "50.00", currency: "USD", method: "bank" }));
  await app.sql`insert into deposit_proofs (deposit_id, media_type, content) values (${asked.id}, 'image/png', ${png()})`;
  await ok(ann.post(`/api/admin/deposits/${asked.id}/reject`, { reason: "Not come" }));
  await approvedWithMoney(app, tess, "100.00");
  await app.sql`insert into payout_addresses (user_id, name, currency, address) values (${tess.id}, 'Home', 'USD', ${IBAN})`;
  const { body: paid } = await withdrawal(tess, { amount: "100.00" });
  await ok(ann.post(`/api/admin/withdrawals/${paid.id}/approve`, { confirmAmount: "100.00" }));
  await ok(tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 }));
  await ok(tess.post("/api/trading/positions/close-all"));
  await ok(tess.post("/api/user/close", { confirm: "CLOSE" }));
  return tess;
}

const until = async ({ id }: Signed) => (await app.sql<{ day: string }[]>`select kept_until::text as day from users where id = ${id}`)[0]?.day ?? "";
const end = async (most: number, today: string) => (await app.context.sql<{ count: number }[]>`select records_end(${most}, ${today}::date) as count`)[0]?.count;
const next = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
/** Where of the database these words stand. */
async function standing(words: string, without: readonly string[] = []): Promise<string[]> {
  const columns = await app.sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'json', 'jsonb')
  `;
  const found: string[] = [];
  for (const { name, column } of columns)
    if (!without.includes(name) && (await app.sql`select from ${app.sql(name)} where ${app.sql(column)}::text like ${`%${words}%`} limit 1`).length > 0)
      found.push(`${name}.${column}`);
  return found.sort();
}
const journal = ({ id }: Signed) => app.sql`
  select e.id, e.kind, p.amount::text, f.price::text
  from ledger_accounts a join ledger_postings p on p.account_id = a.id join ledger_entries e on e.id = p.entry_id
  left join positions o on o.user_id = ${id} left join fills f on f.position_id = o.id
  where a.owner_id = ${id} order by e.id, p.amount, f.id
`;

test("it is deleted on the day after the last one, once, with a line in the audit book; the journal and the deals stay", async () => {
  const tess = await left();
  const [day, before] = [await until(tess), await journal(tess)];
  expect(before.length).toBeGreaterThan(3);
  // The book of what staff did keeps their words, since each entry proves the one before it.
  const CHAINED = ["admin_actions", "proof_entries", "idempotency_keys"];
  expect(await standing(WORDS, CHAINED)).toEqual([
    "chat_messages.message",
    "chat_sessions.last_message",
    "staff_notes.body",
    "support_tickets.admin_response",
    "support_tickets.message",
    "support_tickets.subject",
    "ticket_files.name",
    "ticket_messages.message",
    "watchlists.name",
  ]);
  expect(await end(10, day)).toBe(0);
  expect((await standing(WORDS, CHAINED)).length).toBe(9);
  const ended = await Promise.all([end(10, next(day)), end(10, next(day)), end(10, next(day))]);
  expect(ended.sort()).toEqual([0, 0, 1]);
  expect(await standing(WORDS, CHAINED)).toEqual([]);
  expect(await standing(IBAN, CHAINED)).toEqual([]);
  for (const table of ["documents", "data_exports", "chat_messages", "staff_notes", "watchlists", "price_alerts"])
    expect([table, (await app.sql`select from ${app.sql(table)} where user_id = ${tess.id}`).length]).toEqual([table, 0]);
  expect(await app.sql`select from deposit_proofs p join deposits d on d.id = p.deposit_id where d.user_id = ${tess.id}`).toHaveLength(0);
  expect(await journal(tess)).toEqual(before);
  expect(await app.sql`select amount::text, status, wallet_address from withdrawals where user_id = ${tess.id}`).toEqual([
    { amount: "100.00", status: "approved", wallet_address: "deleted" },
  ] as never);
  const lines = await app.sql`
    select details, previous_state ->> 'keptUntil' as until from admin_actions where target_user_id = ${tess.id} and action = 'records.end'
  `;
  expect(lines).toEqual([{ details: { documents: 1, tickets: 1, chatMessages: 1, proofs: 1, withdrawals: 1 }, until: day }] as never);
  expect(await app.sql`select country, registration_reason from users where id = ${tess.id}`).toEqual([{ country: null, registration_reason: null }] as never);
});

test("until then nobody deletes or rewrites what was said, and who is still here is never ended", async () => {
  const [tess, here] = [await left(), await app.trader()];
  const refused = async (query: Promise<unknown>) => expect(query).rejects.toMatchObject({ code: "42501" });
  for (const table of ["chat_messages", "staff_notes"]) await refused(app.sql`delete from ${app.sql(table)} where user_id = ${tess.id}`.execute());
  for (const table of ["ticket_messages", "ticket_files"])
    await refused(app.sql`delete from ${app.sql(table)} where ticket_id in (select id from support_tickets where user_id = ${tess.id})`.execute());
  await refused(app.sql`delete from document_views where document_id in (select id from documents where user_id = ${tess.id})`.execute());
  await refused(app.sql`update withdrawals set wallet_address = 'x' where user_id = ${tess.id}`.execute());
  await refused(app.sql`update support_tickets set message = 'x' where user_id = ${tess.id}`.execute());
  expect(await end(10, next(await until(tess)))).toBe(1);
  await refused(app.sql`update withdrawals set amount = 1 where user_id = ${tess.id}`.execute());
  await app.sql`select records_close(${here.id})`;
  expect(await app.sql`select from users where id = ${here.id} and records_ended_at is null`).toHaveLength(1);
});

test("the program that leads deletes some at a time until none is left", async () => {
  const people = await times(23, () => app.trader());
  await app.sql`update users set closed_at = now(), kept_until = current_date - 1 where id = any (${people.map(({ id }) => id)})`;
  expect(await end(5, new Date().toISOString().slice(0, 10))).toBe(5);
  expect((await Promise.all([endRecords(app.context.sql), endRecords(app.context.sql)])).reduce((sum, count) => sum + count)).toBe(18);
  expect(
    await app.sql`select target_user_id from admin_actions where action = 'records.end' and target_user_id = any (${people.map(({ id }) => id)})`,
  ).toHaveLength(23);
});

test("it is seen to when a program begins to lead, and every hour from then on", async () => {
  const over = async () => {
    const { id } = await app.trader();
    await app.sql`update users set closed_at = now(), kept_until = current_date - 1 where id = ${id}`;
    return async () => (await app.sql`select from users where id = ${id} and records_ended_at is not null`).length === 1;
  };
  const first = await over();
  const timers = spyOn(globalThis, "setInterval");
  app.reminders.lead();
  const hourly = timers.mock.calls.find(([, ms]) => ms === HOUR)?.[0] as () => void;
  timers.mockRestore();
  await app.reminders.wake();
  expect(await first()).toBe(true);
  const second = await over();
  hourly();
  await app.reminders.wake();
  expect(await second()).toBe(true);
});
