import { afterAll, afterEach, beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import * as v from "valibot";
import { answer as answers, endpoint } from "../../src/lib/endpoint";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { ApiError } from "./api";
import { sendOnce } from "./intent";
import { forgetKept } from "./kept";

const open = endpoint("POST /api/orders", {
  once: true,
  body: v.object({ amount: v.string(), price: v.optional(v.string()) }),
  answer: answers<{ id: string }>(),
});
const DONE = () => Response.json({ id: "p1" }, { status: 201 });
const STALE = () => refusal(503, "stale_price", "There is no current price.");
const REFUSED = () => refusal(422, "insufficient_margin", "Not enough margin.");
const LATE = () => refusal(503, "unavailable", "This took too long. It may have been done all the same: look before you try again.");
const GATEWAY = () => new Response("<h1>Gateway Time-out</h1>", { status: 504 });

let dom: TestDom;
beforeAll(async () => {
  dom = await openDom();
});
afterAll(() => dom.close());

let calls: ReturnType<typeof holdFetches>;
/** Each test asks for something of its own: what one leaves unanswered is no other's. */
let amount = 0;
beforeEach(() => {
  amount += 1;
  calls = holdFetches({});
});
afterEach(() => {
  calls.end();
  setSystemTime();
});

/** What the last refusal is titled, where not as the caller says. */
let title: string | null = null;
/** One press: what the server says to it, and the price on the screen. */
async function press(answer: () => Response | Promise<Response>, price = "1.1"): Promise<string> {
  calls.answers["POST /api/orders"] = answer;
  try {
    return (await sendOnce(open, { amount: String(amount) }, undefined, { price })).id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    title = error.title;
    return error.message;
  }
}
const keys = () => new Set(calls.sent.map(({ key }) => key)).size;
const prices = () => calls.sent.map(({ body }) => (body as { price: string }).price);

const LOST: Record<string, () => Response | Promise<Response>> = {
  "no connection": () => Promise.reject(new TypeError("network")),
  "our own late 503": LATE,
  "a proxy's 502": () => new Response("Bad Gateway", { status: 502 }),
  "a proxy's 503": () => new Response("Service Unavailable", { status: 503 }),
  "a proxy's 504": GATEWAY,
  "an error of ours": () => refusal(500, "internal", "Something went wrong on our side."),
  "half an answer": () => new Response('{"id":'),
};
for (const [what, lost] of Object.entries(LOST))
  test(`after ${what} the same goes again word for word under its key, until it is answered`, async () => {
    await press(lost);
    await press(lost, "1.2");
    expect(await press(DONE, "1.3")).toBe("p1");
    expect([keys(), prices()]).toEqual([1, ["1.1", "1.1", "1.1"]]);
    await press(DONE, "1.4");
    expect([keys(), prices().at(-1)]).toEqual([2, "1.4"]);
  });

for (const [what, answer] of Object.entries({ "a stale price": STALE, "too many requests": () => refusal(429, "too_many_requests", "Too many."), REFUSED }))
  test(`after ${what} nothing was done: the next press is a new order at the new price`, async () => {
    await press(answer);
    await press(DONE, "1.2");
    expect([keys(), prices()]).toEqual([2, ["1.1", "1.2"]]);
  });

test("a stale price says nothing of a try before, whose answer was lost: that one's key is kept until it is answered", async () => {
  await press(GATEWAY);
  await press(STALE, "1.2");
  await press(REFUSED, "1.3");
  expect([keys(), prices()]).toEqual([1, ["1.1", "1.1", "1.1"]]);
  await press(DONE, "1.4");
  expect(keys()).toBe(2);
});

test("another order is another order, whatever became of the first", async () => {
  await press(GATEWAY);
  amount += 1;
  await press(DONE);
  expect(keys()).toBe(2);
  amount -= 1;
  await press(DONE);
  expect(keys()).toBe(2);
});

test("ten minutes after the last try a press is a new wish", async () => {
  await press(GATEWAY);
  setSystemTime(Date.now() + 9 * 60_000);
  await press(GATEWAY);
  setSystemTime(Date.now() + 9 * 60_000);
  await press(GATEWAY);
  expect(keys()).toBe(1);
  setSystemTime(Date.now() + 10 * 60_000);
  await press(DONE);
  expect(keys()).toBe(2);
});

test("what is said is for people, not a proxy's page", async () => {
  expect(await press(GATEWAY)).toBe("No answer came. Press again to make sure: it is not done twice.");
  expect(await press(LATE)).toStartWith("This took too long.");
  expect(await press(() => Promise.reject(new TypeError("network")))).toBe("No answer came. Press again to make sure: it is not done twice.");
});

test("what nobody knows to have failed is not titled so; what the server answered is its caller's to name", async () => {
  const titles: Record<string, string | null> = {};
  for (const [what, lost] of Object.entries(LOST)) {
    await press(lost);
    titles[what] = title;
  }
  expect(titles).toEqual({ ...Object.fromEntries(Object.keys(LOST).map((what) => [what, "No answer yet"])), "an error of ours": null });
  await press(REFUSED);
  expect(title).toBeNull();
});

test("a page that is loaded anew before the answer came asks for the same; another person's page does not", async () => {
  const person = document.documentElement.dataset;
  person.person = "ann";
  forgetKept();
  void press(() => new Promise<never>(() => {}));
  forgetKept();
  await press(STALE, "1.2");
  expect([keys(), prices()]).toEqual([1, ["1.1", "1.1"]]);
  person.person = "bob";
  forgetKept();
  await press(DONE, "1.2");
  expect([keys(), prices().at(-1)]).toEqual([2, "1.2"]);
  person.person = "ann";
  forgetKept();
  await press(DONE, "1.3");
  expect(keys()).toBe(3);
});
