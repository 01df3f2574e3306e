import { post } from "../mail/commands";
import { type Person, type TestApp, testApp } from "./app";
import { linkIn, openMailServer, type Received } from "./mail_server";
import { ledgerAccount, post as book, until } from "./scenarios";

/** The house as letters show it, before anybody set a brand. */
export const HOUSE = { name: "Halyard", accents: { accentLight: null, accentDark: null } };
export const MAIL = { MAIL_FROM: "Halyard <post@halyard.example>", PUBLIC_URL: "https://halyard.example" };

/** Leaves a letter for a person. */
export const posted = (app: TestApp, userId: string, kind: string, facts: object = {}) => app.sql.begin((tx) => post(tx, userId, kind, facts));
/** The newest letter of a kind to a person. */
export const stateOf = async (app: TestApp, userId: string, kind: string) => {
  const rows = await app.sql<{ id: string; status: string; answer: string | null; attempts: number }[]>`
    select id, status, answer, attempts from letters where user_id = ${userId} and kind = ${kind} order by created_at
  `;
  return rows.at(-1);
};
/** As if the time until the next try were over. */
export const dueNow = (app: TestApp) => app.sql`update letters set due_at = clock_timestamp() where status = 'waiting'`;

export type Trader = Awaited<ReturnType<TestApp["trader"]>>;
/** What every link says that is unknown, used or expired. */
export const OVER = { code: "link_over", message: "This link has been used, has expired, or was not copied whole. Ask for a new letter." };
export const withdrawal = { amount: "100.00", currency: "USD", method: "bank", walletAddress: "AT61 1904 3002 3457 3201" };

/** Approves the person and brings money into the wallet. */
export async function approvedWithMoney({ sql }: TestApp, { id }: { id: string }, amount: string) {
  await sql`update users set registration_status = 'approved' where id = ${id}`;
  await book(sql, await ledgerAccount(sql, "wallet", id), await ledgerAccount(sql, "house_clearing"), amount);
}

/** The letters of a program, as their readers get them. */
export class Mailbox {
  constructor(
    private readonly app: TestApp,
    private readonly server: { to(address: string): Received[] },
  ) {}

  /** The newest letter to an address that links to this page, once there are so many. */
  async letterTo(address: string, page: string, count = 1): Promise<Received> {
    const those = () => this.server.to(address).filter(({ text }) => text.includes(`${page}?token=`));
    await until(`a letter to ${address} with ${page}`, async () => {
      await this.app.mailer.wake();
      return those().length >= count;
    });
    return those().at(-1) as Received;
  }
  async tokenTo(address: string, page: string, count = 1): Promise<string> {
    return linkIn(await this.letterTo(address, page, count), page).split("token=")[1] ?? "";
  }
}

/** A program with a mail server of the test's own, and what the tests of the ways by letter share. */
export const PASSWORD = "Corr3ct-horse";
export const NEXT = "N3w-horse-battery";

export async function openLetters() {
  const server = await openMailServer();
  const app = await testApp({ SMTP_URL: server.url, ...MAIL });
  return {
    app,
    server,
    box: new Mailbox(app, server),
    login: (email: string, password: string) => app.stranger().post<{ code?: string }>("/api/auth/login", { email, password }),
    async close() {
      await app.end();
      await server.close();
    },
  };
}
export type Letters = Awaited<ReturnType<typeof openLetters>>;

export const isIn = async (who: Person) => (await who.get("/api/auth/user")).status === 200;
export const statuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status).sort();

/** What a letter of whatever kind tells of, as JSON. */
export const LETTER_FACTS = JSON.stringify({
  ...{ amount: "$1,250.00", method: "bank", reference: "DEP-3FA85F6457", status: "approved", credited: "$1,250.00", bonus: "$500.00", reason: "In order" },
  ...{
    address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    hash: "0xabc",
    account: "ACC10042",
    book: "live",
    level: "87.50",
    position: "BUY EUR/USD $10,000.00",
  },
  ...{
    result: "-$512.40",
    settled: "$5.00",
    market: "-$2.10",
    positionId: "x",
    ticketId: "y",
    subject: "Where is my deposit?",
    month: "2026-10",
    at: "2026-11-23 10:00 UTC",
  },
  ...{ ip: "192.0.2.1", userAgent: "Firefox/130 Linux", factor: "passkey", name: "Phone" },
  ...{ until: "2033-11-23", on: "2026-12-24", from: "CH", to: "AT" },
});
