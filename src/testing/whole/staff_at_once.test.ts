import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Session } from "../../identity/schema";
import { connect } from "../../platform/database/db";
import type { Exception } from "../../trading/schema_exceptions";
import type { ChatMessage } from "../../support/schema_chat";
import { type Answer, type Person, type TestApp, testApp } from "../app";
import { lose, openPosition } from "../corrections";
import { type TestDatabase, testDatabase } from "../database";
import { deposit, fundedTrader, withdrawal } from "../money";
import { accountsOf, fundLive, tamper } from "../scenarios";
import { seed } from "../seed";

/** Every command of staff beside every other, on the same people and requests: none waits for one that waits for it. */

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let db: TestDatabase;
let app: TestApp;
let staff: Admin[];
beforeAll(async () => {
  db = await testDatabase();
  // Nothing is tried again here, so a deadlock is an answer of 500.
  const sql = connect(db.url, { max: 20, tries: 1 });
  const drop = () => Promise.all([sql.end({ timeout: 2 }), db.drop()]).then(() => {});
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" }, { ...db, sql, drop });
  staff = await Promise.all([app.admin(), app.admin(), app.admin()]);
  // They came long ago, so that there are days to close.
  await tamper(app.sql, (tx) => tx`update users set created_at = created_at - interval '300 days'`);
});
/** A day that is over, another one in each round. */
const dayOf = (round: number) => new Date(Date.now() - (250 - round) * 86_400_000).toISOString().slice(0, 10);
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const id = async (answer: Promise<{ body: unknown }>) => String(((await answer).body as { id?: unknown }).id);
const because = { reason: "Because" };
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const file = (by: Person, path: string): Promise<Answer> =>
  by.fetch("POST", path, { headers: { "content-type": "image/png" }, raw: PNG as unknown as string }).then(async (answer) => {
    return { status: answer.status, headers: answer.headers, text: await answer.text(), body: {} };
  });

async function sendDocument(by: Person): Promise<string> {
  const form = new FormData();
  form.set("kind", "other");
  form.set("file", new File([PNG], "a.png"));
  const answer = await app.router.handle(new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: by.cookie } }));
  return ((await answer.json()) as { id: string }).id;
}

/** People and requests, all of one trader's where that can be, that a round decides about. */
async function subjects(round: number) {
  const [ann] = staff as [Admin];
  // Where countries have rules, nobody is approved who has not said where he lives.
  await app.sql`delete from jurisdictions`;
  const home = { country: "US" };
  const [tess, fresh, other, eve] = await Promise.all([fundedTrader(app, ann, 900), app.trader(home), app.trader(home), app.admin()]);
  const accountId = await fundLive(app, tess, "1000.00");
  const demo = (await accountsOf(tess)).find(({ isDemo }) => isDemo)?.id ?? "";
  const [session] = (await ann.get<Session[]>(`/api/admin/users/${fresh.id}/sessions`)).body;
  await app.sql`insert into two_factors (user_id, secret, confirmed_at, last_step) values (${tess.id}, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', now(), 0)`;
  await app.sql`update users set frozen_at = now() where id = ${other.id}`;
  const { body: said } = await tess.post<ChatMessage>("/api/chat/messages", { message: "Hello" });
  const letter = { name: "Vera", email: "vera@t.test", subject: "Question", message: `Round ${round}` };
  const live = async () => (await openPosition(tess, { accountId, amount: 100 })).id;
  const requests = async () => id(lose(ann, await live(), "10.00"));
  const promoted = async () => {
    const person = await app.trader({ password: "Corr3ct-horse-battery" });
    await app.sql`update users set registration_status = 'approved' where id = ${person.id}`;
    return id(ann.post(`/api/admin/users/${person.id}/role`, { role: "admin", ...because }));
  };
  const corrected = await live();
  await ann.post(`/api/admin/trades/${corrected}/force-win`, { profit: "1.00", ...because });
  const [exception] = (await ann.get<Exception[]>(`/api/admin/exceptions?q=${corrected}`)).body;
  // Decided just now, so that one undoing surely finds a decision.
  const mistaken = await app.trader();
  await ann.post(`/api/admin/approve-registration/${mistaken.id}`);
  // A lone administrator's, so that it waits for nobody; the others of this round wait.
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  const ether = { currency: "ETH", network: "ERC-20" };
  const wallet = await id(ann.post("/api/admin/wallets", { ...ether, walletAddress: `0x${round.toString().padStart(40, "0")}` }));
  await app.sql`update signature_rules set is_on = true where deed = 'wallet'`;
  const asked = (place: string) => id(ann.post("/api/admin/wallets", { ...ether, walletAddress: `0x${place}${round.toString().padStart(39, "0")}` }));
  const documents = await Promise.all(Array.from({ length: 4 }, () => sendDocument(tess)));
  await ann.post(`/api/admin/kyc/documents/${documents[3]}/approve`);
  return {
    documents,
    demo,
    round,
    mistaken,
    exception: exception?.id,
    roleRequests: [await promoted(), await promoted()],
    tess,
    fresh,
    other,
    eve,
    session: session?.id ?? "",
    deposits: [await id(deposit(tess)), await id(deposit(tess))],
    withdrawals: [await id(withdrawal(tess)), await id(withdrawal(tess))],
    positions: [await live(), await live()],
    requests: [await requests(), await requests()],
    ticket: await id(tess.post("/api/support/tickets", { subject: "Help", message: "Please", category: "general" })),
    merged: await id(tess.post("/api/support/tickets", { subject: "Help, please", message: "Please", category: "general" })),
    chat: said.sessionId,
    said: said.number,
    letter: await id(app.stranger().post("/api/contact", letter)),
    canned: [
      await id(ann.post("/api/admin/canned-answers", { title: `A ${round}`, body: "Hello" })),
      await id(ann.post("/api/admin/canned-answers", { title: `B ${round}`, body: "Hello" })),
    ],
    wallet,
    signatures: [await asked("a"), await asked("b")],
    role: await id(ann.post("/api/admin/roles", { name: `Role ${round}`, permissions: ["people.read"], ...because })),
    claim: await id(ann.post("/api/admin/house-claims", { kind: "award", text: "An award", ...because })),
    note: String((await app.sql<{ id: string }[]>`select id from admin_notifications order by number desc limit 1`)[0]?.id),
  };
}
type Subjects = Awaited<ReturnType<typeof subjects>>;

const lettersOf = (round: number) => [...String(round)].map((digit) => "abcdefghij"[Number(digit)]).join("");

/** Until nobody else was faster: there is one brand, and of those who looked at one version of it one changes it. */
async function brandPut(by: Admin, send: (version: number) => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  const { version } = (await by.get<{ version: number }>("/api/admin/brand")).body;
  const answer = await send(version);
  return answer.status === 409 ? brandPut(by, send) : answer;
}

/** Every route of staff that changes something, and how an administrator calls it. */
const COMMANDS: Record<string, (by: Admin, s: Subjects) => Promise<Answer<unknown>>> = {
  "POST /api/admin/approve-registration/:userId": (by, s) => by.post(`/api/admin/approve-registration/${s.fresh.id}`),
  "POST /api/admin/reject-registration/:userId": (by, s) => by.post(`/api/admin/reject-registration/${s.other.id}`, because),
  "POST /api/admin/undo-registration/:userId": (by, s) => by.post(`/api/admin/undo-registration/${by === staff[0] ? s.mistaken.id : s.other.id}`),
  "POST /api/admin/name": (by, s) => by.post("/api/admin/name", { firstName: `Round ${s.round}`, lastName: by.email }),
  "POST /api/admin/users/:id/activate": (by, s) => by.post(`/api/admin/users/${s.tess.id}/activate`, because),
  "POST /api/admin/users/:id/suspend": (by, s) => by.post(`/api/admin/users/${s.tess.id}/suspend`, because),
  "POST /api/admin/users/:id/ban": (by, s) => by.post(`/api/admin/users/${s.eve.id}/ban`, because),
  "POST /api/admin/users/:id/kyc": (by, s) => by.post(`/api/admin/users/${s.tess.id}/kyc`, { status: "verified", ...because }),
  "POST /api/admin/users/:id/erase": (by, s) => by.post(`/api/admin/users/${s.other.id}/erase`, { confirm: "ERASE", ...because }),
  "POST /api/admin/users/:id/country": (by, s) => by.post(`/api/admin/users/${s.tess.id}/country`, { country: "CH", ...because }),
  "PATCH /api/admin/instruments/:symbol": (by, s) => by.patch("/api/admin/instruments/NZD%2FUSD", { maximum: `${s.round + 1000}.00`, ...because }),
  "POST /api/admin/instruments": (by, s) =>
    by.post("/api/admin/instruments", {
      ...{
        symbol: `${lettersOf(s.round).toUpperCase()}X/USD`,
        name: "A coin",
        group: "crypto",
        digits: 2,
        simulatorStart: 5,
        simulatorVolatility: 0.5,
        ...because,
      },
    }),
  "POST /api/admin/instruments/preview": (by, s) =>
    by.post("/api/admin/instruments/preview", { csv: `Instrument,Version,Largest order\nUSD/CAD,${s.round},${s.round + 1000}` }),
  "POST /api/admin/instruments/import": (by, s) =>
    by.post("/api/admin/instruments/import", { csv: `Instrument,Version,Largest order\nUSD/CAD,${s.round},${s.round + 1000}`, ...because }),
  "PATCH /api/admin/promotions/:id": (by, s) => by.patch("/api/admin/promotions/deposit_bonus", { title: `Deposit bonus ${s.round}`, ...because }),
  "POST /api/admin/groups": (by, s) =>
    by.post("/api/admin/groups", {
      ...{ id: `g${lettersOf(s.round)}`, name: "A group", spreadPips: 1, commission: 0 },
      ...{ minimumDeposit: 0, leverage: 100, isOpen: false, ...because },
    }),
  "POST /api/admin/groups/preview": (by) => by.post("/api/admin/groups/preview", { csv: "Group,Name\nsheet,A sheet" }),
  "POST /api/admin/groups/import": (by, s) =>
    by.post("/api/admin/groups/import", {
      csv: `Group,Name,Minimum deposit,Spread from,Commission,Leverage,Open to all\nsheet${"abcdefgh".charAt(s.round % 8)}${"x".repeat(s.round)},A sheet,0,1,0,100,no`,
      ...because,
    }),
  "PATCH /api/admin/groups": (by, s) =>
    by.call("PATCH", "/api/admin/groups", { body: { id: "starter", version: s.round + 1, name: `Starter ${s.round}`, ...because } }),
  "POST /api/admin/trading-accounts/:id/move": (by, s) =>
    by.post(`/api/admin/trading-accounts/${s.demo}/move`, { group: by === staff[0] ? "bronze" : "silver", version: 0, ...because }),
  "POST /api/admin/pages/:page": (by, s) => by.post("/api/admin/pages/about", { body: `Round ${s.round}`, ...because }),
  "POST /api/admin/pages/:page/preview": (by) => by.post("/api/admin/pages/about/preview", { body: "Words" }),
  "POST /api/admin/letter-texts/:letter": (by, s) =>
    by.post("/api/admin/letter-texts/statement", { subject: `Round ${s.round}`, body: "{link}", version: s.round, ...because }),
  "POST /api/admin/letter-texts/:letter/preview": (by) => by.post("/api/admin/letter-texts/statement/preview", { subject: "A", body: "{link}" }),
  "POST /api/admin/house-claims": (by, s) => by.post("/api/admin/house-claims", { kind: "award", text: `Award ${s.round}`, ...because }),
  "PATCH /api/admin/house-claims/:id": (by, s) => by.patch(`/api/admin/house-claims/${s.claim}`, { text: `Award ${s.round}`, version: 1, ...because }),
  "PATCH /api/admin/brand": (by, s) => brandPut(by, (version) => by.patch("/api/admin/brand", { name: `House ${s.round}`, version, ...because })),
  "POST /api/admin/brand/pictures": (by) => brandPut(by, (version) => file(by, `/api/admin/brand/pictures?kind=logo&version=${version}&reason=Because`)),
  "POST /api/admin/holdings": (by, s) => by.post("/api/admin/holdings", { amount: `${s.round + 1}.00`, evidence: "A letter", link: "", ...because }),
  "POST /api/admin/deposits/forecast": (by, s) => by.post("/api/admin/deposits/forecast", { ids: s.deposits }),
  "POST /api/admin/kyc/approve": (by, s) => by.post("/api/admin/kyc/approve", { ids: [s.documents[0]] }, { "idempotency-key": crypto.randomUUID() }),
  "POST /api/admin/kyc/documents/:id/approve": (by, s) => by.post(`/api/admin/kyc/documents/${s.documents[0]}/approve`),
  "POST /api/admin/kyc/documents/:id/reject": (by, s) => by.post(`/api/admin/kyc/documents/${s.documents[1]}/reject`, { reason: "cut_off" }),
  "POST /api/admin/kyc/documents/:id/ask": (by, s) => by.post(`/api/admin/kyc/documents/${s.documents[2]}/ask`, { reason: "cut_off" }),
  "POST /api/admin/kyc/documents/:id/undo": (by, s) => by.post(`/api/admin/kyc/documents/${s.documents[3]}/undo`),
  "POST /api/admin/verification-levels/:level": (by) =>
    by.post("/api/admin/verification-levels/3", {
      ...{ liveTrading: true, bankDeposits: true, cardDeposits: true, cryptoDeposits: true },
      ...{ withdrawnDay: "5000", withdrawnMonth: null },
    }),
  "POST /api/admin/jurisdictions": (by) =>
    by.post("/api/admin/jurisdictions", {
      ...{ country: "AQ", isServed: false, promotions: true, warning: null },
      ...{ leverageMajor: null, leverageMinor: null, leverageCrypto: null },
    }),
  "POST /api/admin/jurisdictions/remove": (by) => by.post("/api/admin/jurisdictions/remove", { country: "AQ" }),
  "POST /api/admin/jurisdictions/preset": (by) => by.post("/api/admin/jurisdictions/preset", { preset: "esma-retail" }),
  "POST /api/admin/users/:id/role": (by, s) => by.post(`/api/admin/users/${s.eve.id}/role`, { role: "user", ...because }),
  "POST /api/admin/role-requests/:id/confirm": (by, s) => by.post(`/api/admin/role-requests/${s.roleRequests[0]}/confirm`),
  "POST /api/admin/role-requests/:id/decline": (by, s) => by.post(`/api/admin/role-requests/${s.roleRequests[1]}/decline`, because),
  "POST /api/admin/users/:id/notes": (by, s) => by.post(`/api/admin/users/${s.tess.id}/notes`, { body: "Called" }, { "idempotency-key": crypto.randomUUID() }),
  "POST /api/admin/users/:id/two-factor/reset": (by, s) => by.post(`/api/admin/users/${s.tess.id}/two-factor/reset`, because),
  "POST /api/admin/users/:id/release": (by, s) => by.post(`/api/admin/users/${s.other.id}/release`, because),
  "POST /api/admin/letters/test": (by) => by.post("/api/admin/letters/test", { address: "me@halyard.example" }),
  "DELETE /api/admin/sessions/:id": (by, s) => by.call("DELETE", `/api/admin/sessions/${s.session}`),
  "POST /api/admin/deposits/:id/approve": (by, s) => by.post(`/api/admin/deposits/${s.deposits[0]}/approve`),
  "POST /api/admin/deposits/:id/reject": (by, s) => by.post(`/api/admin/deposits/${s.deposits[1]}/reject`, because),
  "POST /api/admin/withdrawals/:id/approve": (by, s) => by.post(`/api/admin/withdrawals/${s.withdrawals[0]}/approve`),
  "POST /api/admin/withdrawals/:id/reject": (by, s) => by.post(`/api/admin/withdrawals/${s.withdrawals[1]}/reject`, because),
  "POST /api/admin/wallets": (by, s) =>
    by.post("/api/admin/wallets", { currency: "USDT", network: "ERC-20", walletAddress: `0x${s.round.toString().padStart(40, "0")}` }),
  "POST /api/admin/roles": (by, s) => by.post("/api/admin/roles", { name: `Desk ${s.round}`, permissions: ["people.read"], ...because }),
  "PATCH /api/admin/roles": (by, s) => by.call("PATCH", "/api/admin/roles", { body: { id: s.role, permissions: ["people.read", "people.note"], ...because } }),
  "POST /api/admin/signatures/:id/sign": (by, s) => by.post(`/api/admin/signatures/${s.signatures[0]}/sign`),
  "POST /api/admin/signatures/:id/decline": (by, s) => by.post(`/api/admin/signatures/${s.signatures[1]}/decline`),
  "PUT /api/admin/signature-rules": (by) => by.call("PUT", "/api/admin/signature-rules", { body: { rules: [{ deed: "deposit", isOn: false }], ...because } }),
  "PATCH /api/admin/wallets": (by, s) => by.call("PATCH", "/api/admin/wallets", { body: { id: s.wallet, description: "One" } }),
  "PATCH /api/admin/wallets/:id": (by, s) => by.call("PATCH", `/api/admin/wallets/${s.wallet}`, { body: { description: "Two", isDefault: true } }),
  "POST /api/admin/wallets/:id/deactivate": (by, s) => by.post(`/api/admin/wallets/${s.wallet}/deactivate`),
  "POST /api/admin/payment-details/:method": (by, s) =>
    by.post("/api/admin/payment-details/bank", { accountName: "Halyard", accountNumber: "DE02120300000000202051", instructions: `Round ${s.round}` }),
  "POST /api/admin/trades/:id/force-win": (by, s) => by.post(`/api/admin/trades/${s.positions[0]}/force-win`, { profit: "5.00", ...because }),
  "POST /api/admin/trades/:id/force-loss": (by, s) => by.post(`/api/admin/trades/${s.positions[1]}/force-loss`, { loss: "5.00", ...because }),
  "POST /api/admin/exposure-limits": (by, s) => by.post("/api/admin/exposure-limits", { symbol: "EUR/USD", limit: String(1000 + s.round) }),
  "POST /api/admin/days/:day/close": (by, s) => by.post(`/api/admin/days/${dayOf(s.round)}/close`),
  "POST /api/admin/exceptions/:id/review": (by, s) => by.post(`/api/admin/exceptions/${s.exception}/review`, { note: "In order" }),
  "POST /api/admin/corrections/:id/confirm": (by, s) => by.post(`/api/admin/corrections/${s.requests[0]}/confirm`),
  "POST /api/admin/corrections/:id/decline": (by, s) => by.post(`/api/admin/corrections/${s.requests[1]}/decline`, because),
  "POST /api/admin/support-tickets/:id": (by, s) =>
    by.post(`/api/admin/support-tickets/${s.ticket}`, { adminResponse: "Hello", assignedTo: staff[s.round % 3]?.id }),
  "POST /api/admin/support-tickets/:id/merge": (by, s) => by.post(`/api/admin/support-tickets/${s.ticket}/merge`, { tickets: [s.merged] }),
  "POST /api/admin/support-tickets/:id/files": (by, s) => file(by, `/api/admin/support-tickets/${s.ticket}/files?name=form.png`),
  "POST /api/admin/canned-answers": (by, s) => by.post("/api/admin/canned-answers", { title: `New ${s.round}`, body: "Hello" }),
  "PATCH /api/admin/canned-answers/:id": (by, s) =>
    by.call("PATCH", `/api/admin/canned-answers/${s.canned[0]}`, { body: { title: `C ${s.round}`, body: "Hello" } }),
  "DELETE /api/admin/canned-answers/:id": (by, s) => by.call("DELETE", `/api/admin/canned-answers/${s.canned[1]}`),
  "POST /api/admin/chat/sessions/:id/messages": (by, s) => by.post(`/api/admin/chat/sessions/${s.chat}/messages`, { message: "Hello" }),
  "POST /api/admin/chat/sessions/:id/read": (by, s) => by.post(`/api/admin/chat/sessions/${s.chat}/read`, { through: s.said }),
  "POST /api/admin/chat/sessions/:id/end": (by, s) => by.post(`/api/admin/chat/sessions/${s.chat}/end`),
  "POST /api/admin/contact-messages/:id": (by, s) => by.post(`/api/admin/contact-messages/${s.letter}`, { status: "answered", note: "By telephone" }),
  "PATCH /api/admin/settings": (by, s) => by.call("PATCH", "/api/admin/settings", { body: { confirmAbove: String(1000 + s.round) } }),
  "PATCH /api/admin/terms-notice": (by, s) => by.patch("/api/admin/terms-notice", { hours: 1 + s.round, ...because }),
  "POST /api/admin/claims": (by, s) => by.post("/api/admin/claims", { kind: "deposit", objectId: s.deposits[0] }),
  "POST /api/admin/support-inbox/next": (by) => by.post("/api/admin/support-inbox/next", {}),
  "POST /api/admin/deposits/approve": (by, s) => by.post("/api/admin/deposits/approve", { requests: s.deposits.map((each) => ({ id: each, amount: "100" })) }),
  "POST /api/admin/withdrawals/approve": (by, s) =>
    by.post("/api/admin/withdrawals/approve", { requests: s.withdrawals.map((each) => ({ id: each, amount: "50" })) }),
  "POST /api/admin/registrations/approve": (by, s) => by.post("/api/admin/registrations/approve", { ids: [s.fresh.id, s.other.id] }),
  "POST /api/admin/snoozes": (by, s) =>
    by.post("/api/admin/snoozes", { kind: "deposit", objectId: s.deposits[0], until: new Date(Date.now() + 600_000).toISOString() }),
  "DELETE /api/admin/snoozes/:id": (by, s) => by.call("DELETE", `/api/admin/snoozes/${s.deposits[0]}`),
  "POST /api/admin/saved-filters": (by, s) => by.post("/api/admin/saved-filters", { queue: "deposits", name: "Mine", query: `q=${s.round}` }),
  "DELETE /api/admin/saved-filters/:id": (by, s) => by.call("DELETE", `/api/admin/saved-filters/${s.note}`),
  "DELETE /api/admin/claims/:id": (by, s) => by.call("DELETE", `/api/admin/claims/${s.deposits[0]}`),
  "POST /api/admin/notifications/:id/read": (by, s) => by.post(`/api/admin/notifications/${s.note}/read`),
  "POST /api/admin/notifications/read-all": (by) => by.post("/api/admin/notifications/read-all", {}),
};
/** These change nothing that another administrator's command touches: a visitor's report, a sign that somebody types, one's own devices. */
const APART = /visitors\/track|\/typing$|\/push\//;

test("the table holds every command of staff", () => {
  const there = app.list.filter(({ method, path }) => method !== "GET" && path.startsWith("/api/admin/") && !APART.test(path));
  expect(Object.keys(COMMANDS).toSorted()).toEqual(there.map(({ method, path }) => `${method} ${path}`).toSorted());
});

const ROUNDS = 8;
/** Of two commands that exclude each other the same one may win in all rounds, so there are more until each has worked once. */
const MOST_ROUNDS = 40;

test("all pairs at once, in any order, without a deadlock", async () => {
  const done = new Set<string>();
  const undone = () => Object.keys(COMMANDS).filter((name) => !done.has(name));
  const orders = fc.sample(fc.shuffledSubarray(Object.keys(COMMANDS), { minLength: Object.keys(COMMANDS).length }), {
    seed,
    numRuns: MOST_ROUNDS * staff.length,
  });
  for (let round = 0; round < ROUNDS || (undone().length > 0 && round < MOST_ROUNDS); round++) {
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const about = await subjects(round);
    const all = staff.flatMap((by, n) => (orders[round * staff.length + n] ?? []).map((name) => ({ by, name })));
    const answers = await Promise.all(all.map(async ({ by, name }) => ({ name, answer: await (COMMANDS[name] as (typeof COMMANDS)[string])(by, about) })));
    expect(answers.filter(({ answer }) => answer.status >= 500).map(({ name, answer }) => `${name}: ${answer.status} ${answer.text}`)).toEqual([]);
    for (const { name, answer } of answers) if (answer.status < 300) done.add(name);
  }
  expect(undone()).toEqual([]);
});
