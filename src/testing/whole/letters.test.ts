import { afterAll, beforeAll, expect, test } from "bun:test";
import { endDocuments } from "../../compliance/commands";
import { KINDS, type LetterKind } from "../../mail/rules";
import { type TestApp, testApp } from "../app";
import { codeIn, holdHalfMinute } from "../codes";
import { openPosition, win } from "../corrections";
import { png } from "../files";
import { approvedWithMoney, MAIL, Mailbox, type Trader } from "../letters";
import { linkIn, openMailServer } from "../mail_server";
import { deposit, withdrawal } from "../money";
import { until } from "../scenarios";

/** Each kind of letter is left by the command that it tells of, and comes to whom it concerns over a real mail server. */

let server: Awaited<ReturnType<typeof openMailServer>>;
let app: TestApp;
let box: Mailbox;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  server = await openMailServer();
  app = await testApp({ SMTP_URL: server.url, ...MAIL });
  box = new Mailbox(app, server);
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  await server.close();
});

const PASSWORD = "Corr3ct-horse";
const ok = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
};
const verified = async (tess: Trader) => {
  await app.sql`update users set is_email_verified = true where id = ${tess.id}`;
  await approvedWithMoney(app, tess, "1000.00");
};
const confirm = async (tess: Trader) => {
  await ok(tess.post("/api/auth/email", { email: `new-${tess.email}`, password: PASSWORD }));
  return `new-${tess.email}`;
};
const secondFactor = async (tess: Trader) => {
  const { body } = await tess.post<{ secret: string }>("/api/auth/two-factor", { password: PASSWORD });
  await ok(tess.post("/api/auth/two-factor/confirm", { code: codeIn(body.secret) }));
  return body.secret;
};
const asked = async (tess: Trader) => String((await deposit(tess, { amount: "100.00", currency: "USD", method: "bank" })).body.id);
const document = async (tess: Trader) => {
  const form = new FormData();
  form.set("kind", "identity");
  form.set("file", new File([png() as BlobPart], "a.png"));
  const answer = await app.router.handle(
    new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: tess.cookie } }),
  );
  return ((await answer.json()) as { id: string }).id;
};
/** A demo position of 900,000 on 10,000, and the price that takes so much of it. */
const sunk = async (tess: Trader, bid: string) => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await ok(tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 900_000 }));
  await app.quote("EUR/USD", bid, (Number(bid) + 0.00002).toFixed(5));
};
const corrected = async (tess: Trader) => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { id } = await openPosition(tess, { amount: 100 });
  await ok(win(ann, id, "1.00"));
  return id;
};

/** What leaves each kind; answers to which address, where it is not the person's own. */
const COMMANDS: Record<Exclude<LetterKind, "test">, (tess: Trader) => Promise<string | void>> = {
  verify_email: async () => {},
  confirm_email: confirm,
  reset_password: (tess) => ok(app.stranger().post("/api/auth/forgot", { email: tess.email })),
  new_device: (tess) => ok(app.stranger().post("/api/auth/login", { email: tess.email, password: PASSWORD })),
  email_changed: async (tess) => {
    const token = await box.tokenTo(await confirm(tess), "/verify-email");
    await ok(app.stranger().post("/api/auth/verify-email", { token }));
  },
  password_changed: (tess) => ok(tess.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-horse-battery" })),
  factor_added: async (tess) => void (await secondFactor(tess)),
  factor_removed: async (tess) => {
    await secondFactor(tess);
    await ok(ann.post(`/api/admin/users/${tess.id}/two-factor/reset`, { reason: "Phone lost" }));
  },
  payout_address: (tess) => ok(tess.post("/api/withdrawal-addresses", { name: "Home", currency: "USD", address: "AT61 1904 3002 3457 3201" })),
  account_frozen: async (tess) => {
    await COMMANDS.new_device(tess);
    const letter = await box.letterTo(tess.email, "/freeze");
    await ok(app.stranger().post("/api/auth/freeze", { token: linkIn(letter, "/freeze").split("token=")[1] ?? "" }));
  },
  registration_decided: (tess) => ok(ann.post(`/api/admin/approve-registration/${tess.id}`)),
  country_changed: (tess) => ok(ann.post(`/api/admin/users/${tess.id}/country`, { country: "AT", reason: "Bill seen" })),
  document_decided: async (tess) => ok(ann.post(`/api/admin/kyc/documents/${await document(tess)}/approve`)),
  document_ends: async (tess) => {
    const expiresOn = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await ok(ann.post(`/api/admin/kyc/documents/${await document(tess)}/approve`, { expiresOn }));
    await endDocuments(app.context.sql);
  },
  export_ready: async (tess) => {
    await ok(tess.post("/api/user/exports"));
    await app.reminders.wake();
  },
  checkpoint: async (tess) => {
    await ok(tess.call("PUT", "/api/profile/checkpoint", { body: { way: "letter" } }));
    await app.context.sql`select checkpoints_send('{"origin":"trade.example/log","size":7,"root":"AA==","note":"trade.example/log","key":"k"}', null)`;
  },
  account_closed: (tess) => ok(tess.post("/api/user/close", { confirm: "CLOSE" })),
  deposit_asked: async (tess) => void (await asked(tess)),
  deposit_decided: async (tess) => ok(ann.post(`/api/admin/deposits/${await asked(tess)}/approve`)),
  withdrawal_asked: async (tess) => {
    await verified(tess);
    await ok(withdrawal(tess, { amount: "100.00" }));
  },
  withdrawal_decided: async (tess) => {
    await verified(tess);
    const { body } = await withdrawal(tess, { amount: "100.00" });
    await ok(ann.post(`/api/admin/withdrawals/${body.id}/approve`));
  },
  margin_call: (tess) => sunk(tess, "1.09840"),
  stop_out: (tess) => sunk(tess, "1.09000"),
  correction: async (tess) => void (await corrected(tess)),
  dispute: async (tess) => ok(tess.post(`/api/trading/positions/${await corrected(tess)}/dispute`, { message: "Not the price that I saw" })),
  ticket_answered: async (tess) => {
    const { body } = await tess.post<{ id: string }>("/api/support/tickets", { subject: "Help", message: "Please", category: "general" });
    await ok(ann.post(`/api/admin/support-tickets/${body.id}`, { adminResponse: "Here it is" }));
  },
  statement: async (tess) => {
    await verified(tess);
    // What the first days of a month leave of the month before, here of this one; asked for again it is none more.
    for (let times = 0; times < 2; times++) await app.context.sql`select letter_statements(date_trunc('month', now() at time zone 'UTC')::date)`;
  },
};

test("the table holds every kind; the letter that tries the server is its own", () => {
  expect([...Object.keys(COMMANDS), "test"].sort()).toEqual(Object.keys(KINDS).sort());
});

test.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])("%s", async (kind) => {
  const goOn = holdHalfMinute();
  try {
    const tess = await app.trader();
    const to = (await COMMANDS[kind](tess)) ?? tess.email;
    const left = async () => app.sql<{ id: string }[]>`select id from letters where user_id = ${tess.id} and kind = ${kind}`;
    await until("it was left", async () => {
      await app.mailer.wake();
      return (await left()).length > 0;
    });
    const letters = await left();
    expect(letters).toHaveLength(1);
    await until("it came", async () => {
      // Some wait until a decision can't be taken back any more.
      await app.sql`update letters set due_at = clock_timestamp() where status = 'waiting' and attempts = 0`;
      await app.mailer.wake();
      return server.to(to).some(({ headers }) => headers["message-id"] === `<${letters[0]?.id}@halyard.example>`);
    });
  } finally {
    goOn();
  }
});

test("the letter that tries the mail server comes at once, and staff see the answer", async () => {
  const { body } = await ann.post("/api/admin/letters/test", { address: "me@halyard.example" });
  expect(body as object).toEqual({ delivered: true, answer: expect.stringContaining("250") });
  expect(server.to("me@halyard.example")).toHaveLength(1);
});
