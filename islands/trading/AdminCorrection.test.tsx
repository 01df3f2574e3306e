import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CorrectionRequest, StaffPosition } from "../../src/trading/schema_corrections";
import { openDom, type TestDom } from "../../src/testing/dom";
import { AdminCorrection, type TradeControlProps } from "./AdminCorrection";

const ME = { id: "00000000-0000-4000-8000-00000000000a", name: "Ann Admin" };
const POSITION: StaffPosition = {
  id: "00000000-0000-4000-8000-000000000001",
  userId: "00000000-0000-4000-8000-000000000010",
  firstName: "Tess",
  lastName: "Bell",
  email: "tess@t.test",
  accountId: "00000000-0000-4000-8000-000000000020",
  accountNumber: "ACC1",
  isDemo: false,
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  openPrice: "1.10000000",
  entryPrice: "1.10000000",
  volume: "909.09090909",
  currentPrice: "1.11000000",
  stopLoss: null,
  takeProfit: null,
  profit: "9.09",
  spreadsFrom: "3.3",
  termsVersion: null,
  balance: "800.00",
  status: "open",
  openedAt: "2026-01-05T10:00:00.000Z",
  createdAt: "2026-01-05T10:00:00.000Z",
  waits: false,
  correctedAlone: "0.00",
};
const REQUEST: CorrectionRequest = {
  id: "00000000-0000-4000-8000-000000000002",
  positionId: POSITION.id,
  userId: POSITION.userId,
  firstName: "Tess",
  lastName: "Bell",
  email: "tess@t.test",
  accountId: POSITION.accountId,
  accountNumber: "ACC1",
  isDemo: false,
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  status: "pending",
  adminUserId: "00000000-0000-4000-8000-00000000000b",
  administrator: "Bob Boss",
  settledProfit: "-75.00",
  marketProfit: "8.00",
  marketNow: "9.09",
  reason: "A wrong price",
  decidedBy: null,
  decisionReason: null,
  decidedAt: null,
  createdAt: "2026-01-05T10:00:00.000Z",
};

type Sent = { url: string; body: unknown; key: string | undefined };
let dom: TestDom;
let posts: Sent[];
let answer: () => Response;
let found: unknown[];
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  posts = [];
  found = [POSITION];
  globalThis.fetch = (async (url: string, { method, headers, body }: { method: string; headers: Record<string, string>; body: string | null }) => {
    if (url.startsWith("/api/admin/claims")) return Response.json([]);
    if (url.startsWith("/api/admin/evidence/")) return Response.json({ message: "Not found.", code: "not_found" }, { status: 404 });
    if (method === "GET") return Response.json(found);
    posts.push({ url, body: body === null ? null : JSON.parse(body), key: headers["Idempotency-Key"] });
    return answer();
  }) as unknown as typeof fetch;
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
});

const settle = () => dom.act(async () => void (await Bun.sleep(0)));
const draw = (list: TradeControlProps["list"], over: Partial<TradeControlProps> = {}) =>
  dom.draw(<AdminCorrection list={list} query={{ q: "", limit: "50" }} me={ME} fourEyes secondFrom="1000.00" snoozes={[]} {...over} />);
const dialog = () => dom.window.document.querySelector("dialog[open]")?.textContent ?? null;
const send = async () => {
  await dom.press(dom.find("dialog[open] [type=submit]"));
  await settle();
};

test("a forced result is shown as the trader will read it, and sends the amount of its field", async () => {
  answer = () => Response.json({ ...POSITION, status: "closed", profit: "20.00" });
  await draw({ view: "positions", rows: [POSITION] });
  await dom.press(dom.button("Force Win BUY EUR/USD"));
  expect(dialog()).toContain("Market result now: +$9.09");
  await dom.type("#force-amount", "20");
  await dom.type("#force-reason", "A wrong price of the feed");
  expect(dialog()).toContain("The house pays $10.91 more than the market would.");
  expect(dialog()).toContain("Settled by administratorA wrong price of the feedSettled +$20.00, market result +$9.09, by Ann Admin");
  expect(posts).toEqual([]);
  await send();
  expect(posts).toEqual([
    { url: `/api/admin/trades/${POSITION.id}/force-win`, body: { profit: "20.00", reason: "A wrong price of the feed" }, key: expect.any(String) },
  ]);
  expect(dialog()).toBeNull();
  expect(dom.toast()).toBe("Position settled as a winBUY EUR/USD $1,000.00 closed with +$20.00.");
});

test("against a live client it says that another administrator decides, or that it is refused", async () => {
  for (const [fourEyes, words] of [
    [true, "It waits until another administrator confirms it."],
    [false, "On a live account that is refused."],
  ] as const) {
    await draw({ view: "positions", rows: [POSITION] }, { fourEyes });
    await dom.press(dom.button("Force Win BUY EUR/USD"));
    await dom.type("#force-amount", "9.08");
    expect(dialog()).toContain(`Against the clientThe trader gets $0.01 less than the market would give. ${words}`);
    await dom.type("#force-amount", "9.09");
    expect(dialog()).toContain("Exactly the market result.");
    await dom.press(dom.button("Cancel"));
  }
  answer = () => Response.json({ status: "pending_second_approval", id: REQUEST.id }, { status: 202 });
  await dom.press(dom.button("Force Loss BUY EUR/USD"));
  await dom.type("#force-amount", "75");
  await dom.type("#force-reason", "A wrong price");
  await send();
  expect(dom.toast()).toContain("Waiting for a second administrator");
});

test("from a threshold on, live and in either direction, it says that a second administrator decides, and what the most is", async () => {
  const large = { ...POSITION, amount: "5000.00", balance: "3000.00" };
  found = [large];
  await draw({ view: "positions", rows: [large] });
  await dom.press(dom.button("Force Win BUY EUR/USD"));
  expect(dialog()).toContain("At most $5,000.00.");
  await dom.type("#force-amount", "999.99");
  expect(dialog()).not.toContain("second administrator");
  await dom.type("#force-amount", "1000");
  expect(dialog()).toContain("Takes a second administratorThe house pays $990.91 more than the market would. From $1,000.00 on it waits until another");
  await dom.press(dom.button("Cancel"));
  await dom.press(dom.button("Force Loss BUY EUR/USD"));
  expect(dialog()).toContain("At most $3,000.00.");
});

test("what one settled alone for the client within a day counts with it, and is said beforehand", async () => {
  const later = { ...POSITION, correctedAlone: "900.00" };
  found = [later];
  await draw({ view: "positions", rows: [later] });
  await dom.press(dom.button("Force Win BUY EUR/USD"));
  await dom.type("#force-amount", "99.99");
  expect(dialog()).toContain("The house pays $90.90 more than the market would.");
  expect(dialog()).not.toContain("administrator confirms");
  await dom.type("#force-amount", "100");
  expect(dialog()).toContain(
    "Takes a second administratorThe house pays $90.91 more than the market would. With the $900.00 that you settled alone for this client within 24 hours it comes to $1,000.00 or more, so it waits until another administrator confirms it.",
  );
});

test("on a demo account nobody else is asked", async () => {
  found = [{ ...POSITION, amount: "5000.00", isDemo: true }];
  await draw({ view: "positions", rows: found as StaffPosition[] });
  await dom.press(dom.button("Force Win BUY EUR/USD"));
  await dom.type("#force-amount", "1000");
  expect(dialog()).toContain("The house pays $990.91 more than the market would.");
  expect(dialog()).not.toContain("second administrator");
});

test("after a refusal the next try is an action of its own; what is no amount is not sent", async () => {
  const message = "The loss can be at most the account's balance, which is $800.00.";
  answer = () => Response.json({ message, code: "insufficient_funds", fields: { loss: message } }, { status: 422 });
  await draw({ view: "positions", rows: [POSITION] });
  await dom.press(dom.button("Force Loss BUY EUR/USD"));
  await dom.type("#force-reason", "A wrong price");
  for (const amount of ["", "0", "1e3", "abc"]) {
    await dom.type("#force-amount", amount);
    await send();
  }
  expect(posts).toEqual([]);
  await dom.type("#force-amount", "900");
  await send();
  expect(dialog()).toContain(message);
  answer = () => Response.json({ ...POSITION, status: "closed", profit: "-800.00" });
  await dom.type("#force-amount", "800");
  await send();
  expect(posts.map(({ body }) => body)).toEqual([
    { loss: "900.00", reason: "A wrong price" },
    { loss: "800.00", reason: "A wrong price" },
  ]);
  expect(new Set(posts.map(({ key }) => key)).size).toBe(2);
  expect(dialog()).toBeNull();
});

test("the second administrator sees both results before confirming; who asked is offered nothing", async () => {
  const own = { ...REQUEST, id: "00000000-0000-4000-8000-000000000003", adminUserId: ME.id };
  answer = () => Response.json({ ...POSITION, status: "closed", profit: "-75.00" });
  found = [REQUEST, own];
  await draw({ view: "waiting", rows: [REQUEST, own] });
  expect(dom.find(`[data-row="${own.id}"]`).textContent).toContain("You asked for it: another administrator decides");
  await dom.press(dom.button("Confirm the correction of BUY EUR/USD"));
  expect(dialog()).toContain("Settled −$75.00, market result +$9.09, by Bob Boss, confirmed by Ann Admin");
  await send();
  expect(posts).toMatchObject([{ url: `/api/admin/corrections/${REQUEST.id}/confirm` }]);
});
