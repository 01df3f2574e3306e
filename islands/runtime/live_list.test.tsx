import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { StaffTopic } from "../../src/admin/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { until } from "../../src/testing/scenarios";
import { ApiError } from "../wire/api";
import { useLive } from "./live_list";

let dom: TestDom;
let looked = 0;
let answer: () => Promise<string>;

beforeEach(async () => {
  SilentEventSource.opened = [];
  looked = 0;
  answer = async () => `news ${looked}`;
  dom = await openDom();
});
afterEach(() => dom.close());

type Props = { about: StaffTopic[]; rest?: number; frequent?: StaffTopic[] };
function List({ about, rest = 0, frequent = about }: Props) {
  const load = () => {
    looked += 1;
    return answer();
  };
  const { value, lost } = useLive("first", load, about, { rest, frequent });
  return <p>{`${value}${lost ? ", lost" : ""}`}</p>;
}

const settle = (ms = 0) => dom.act(async () => void (await Bun.sleep(ms)));
const source = () => SilentEventSource.opened.at(-1) as SilentEventSource;
const told = async (...changed: StaffTopic[]) => {
  await dom.act(async () => source().say("desk", { changed }));
  await settle();
};
const opened = () => dom.act(async () => source().onopen?.());
const text = () => dom.find("p").textContent;

test("the page's own list is brought up to date when the stream opens, and when its subject changes", async () => {
  await dom.draw(<List about={["deposit"]} />);
  expect([text(), looked]).toEqual(["first", 0]);
  await opened();
  expect([text(), looked]).toEqual(["news 1", 1]);
  await told("withdrawal", "person");
  expect(looked).toBe(1);
  await told("withdrawal", "deposit");
  expect([text(), looked]).toEqual(["news 2", 2]);
});

test("a busy market is looked at no more often than asked for, and the last change is not forgotten", async () => {
  const real = setTimeout;
  const ends: (() => void)[] = [];
  // The end of the rest is in the test's hand; the stream's own patience, of some seconds, is not.
  const hold = (task: () => void, ms?: number) => (ms && ms > 30_000 ? ends.push(task) : real(task, ms));
  const spy = spyOn(globalThis, "setTimeout").mockImplementation(hold as unknown as typeof setTimeout);
  try {
    await dom.draw(<List about={["trade"]} rest={60_000} />);
    await opened();
    for (let n = 0; n < 20; n++) await told("trade");
    expect([looked, ends.length]).toEqual([1, 1]);
    await dom.act(async () => ends[0]?.());
    await settle();
    expect(looked).toBe(2);
  } finally {
    spy.mockRestore();
  }
});

test("what is rare is seen at once, however much else there is", async () => {
  await dom.draw(<List about={["person", "account"]} rest={60_000} frequent={["account"]} />);
  await opened();
  await told("account");
  expect(looked).toBe(1);
  await told("account", "person");
  expect(looked).toBe(2);
});

test("a lost stream is said, and looked past; an answer overtaken by a later one is thrown away", async () => {
  await dom.draw(<List about={["deposit"]} />);
  await opened();
  await dom.act(async () => source().onerror?.());
  expect(text()).toBe("news 1, lost");
  await opened();
  expect(text()).toBe("news 2");
  const slow = Promise.withResolvers<string>();
  answer = () => slow.promise;
  await told("deposit");
  answer = async () => "the newest";
  await told("deposit");
  slow.resolve("overtaken");
  await settle();
  expect(text()).toBe("the newest");
});

test("a line that is silent, not refused, is said as well, once it was made anew and still says nothing", async () => {
  await dom.draw(<List about={["deposit"]} />);
  await opened();
  expect(text()).toBe("news 1");
  await dom.act(async () => void dom.window.dispatchEvent(new dom.window.Event("online")));
  await until("it is said", async () => {
    await settle(100);
    return text()?.endsWith(", lost") ?? false;
  });
  await opened();
  expect(text()).not.toContain("lost");
});

test("a refused look leaves what was known, and says so", async () => {
  await dom.draw(<List about={["deposit"]} />);
  await opened();
  answer = () => Promise.reject(new ApiError(503, "away", "unavailable"));
  await told("deposit");
  expect(text()).toBe("news 1, lost");
});
