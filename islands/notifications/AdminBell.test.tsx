import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Notification } from "../../src/notifications/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { until } from "../../src/testing/scenarios";
import { AdminBell } from "./AdminBell";

/** One page from its opening on: what it knows is shared by all its islands, so its story is told in one go. */

let dom: TestDom;
let fetches: ReturnType<typeof holdFetches>;
let shown: { title: string; body: string }[];
let hidden = false;
const put = new Map<string, unknown>();
const set = (name: string, value: unknown) => {
  put.set(name, Reflect.get(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};

const one = (number: number, over: Partial<Notification> = {}): Notification => ({
  number,
  id: `00000000-0000-4000-8000-0000000000${String(number).padStart(2, "0")}`,
  type: "deposit",
  title: "New deposit request",
  message: `Deposit number ${number}`,
  userId: null,
  relatedId: null,
  priority: "high",
  metadata: {},
  isRead: false,
  readAt: null,
  createdAt: new Date().toISOString(),
  ...over,
});

beforeAll(async () => {
  dom = await openDom();
  shown = [];
  const stored = new Map<string, string>();
  const registration = {
    active: {},
    pushManager: { getSubscription: () => Promise.resolve(null) },
    showNotification: (title: string, { body }: { body: string }) => void shown.push({ title, body }),
  };
  set("navigator", { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  set("localStorage", { getItem: (name: string) => stored.get(name) ?? null, setItem: (name: string, value: string) => stored.set(name, value) });
  set("Notification", { permission: "granted" });
  Object.defineProperty(dom.window.document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
  Object.defineProperty(dom.window.document, "hasFocus", { value: () => !hidden });
  fetches = holdFetches({
    "GET /api/admin/notifications/unread": () => Response.json({ count: 2, last: 10 }),
    "GET /api/admin/notifications": () => Response.json([one(10), one(9, { isRead: true, type: "registration", title: "New registration" })]),
    "POST /api/admin/notifications/read-all": () => Response.json({ count: 0, last: 14 }),
  });
  await dom.draw(<AdminBell at="panel" />);
  await settle();
});
afterAll(async () => {
  fetches.end();
  await dom.close();
  for (const [name, value] of put)
    if (value === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
});

const settle = (ms = 5) => dom.act(async () => void (await Bun.sleep(ms)));
const say = async (event: string, data: unknown) => {
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say(event, data));
  await settle(350);
};
const label = () => dom.find("summary").getAttribute("aria-label");
const toastBox = () => dom.window.document.querySelector("#toasts > div");

test("counts what is unread, and says what comes", async () => {
  expect(label()).toBe("Notifications, 2 unread");
  await say("notification", one(11));
  await until("it is told", () => dom.toast() === "New deposit requestDeposit number 11");
  expect(label()).toBe("Notifications, 3 unread");
});

test("says the same thing once, and of what is of low priority nothing", async () => {
  dom.window.document.getElementById("toasts")?.replaceChildren();
  await say("notification", one(11));
  await say("notification", one(12, { priority: "low", type: "trade", metadata: { demo: true } }));
  expect(label()).toBe("Notifications, 3 unread");
  expect(dom.toast()).toBe("");
});

test("makes no toast of what was missed", async () => {
  await say("notification", { ...one(13), missed: true });
  await say("unread", { count: 4, last: 13 });
  expect(dom.toast()).toBe("");
  expect(label()).toBe("Notifications, 4 unread");
});

test("shows many in one breath as one toast, a warning first and as one", async () => {
  await dom.act(async () => {
    for (const news of [one(14), one(15, { type: "warning", title: "The books do not balance", priority: "urgent" }), one(16)])
      SilentEventSource.opened.at(-1)?.say("notification", news);
  });
  await settle(350);
  await until("they are told", () => dom.toast() === "The books do not balanceDeposit number 15 And 2 more.");
  expect(toastBox()?.getAttribute("data-variant")).toBe("destructive");
  expect(label()).toBe("Notifications, 7 unread");
});

test("lists the newest when it is opened, and reads all of them", async () => {
  const details = dom.find<HTMLDetailsElement>("details");
  await dom.act(async () => {
    details.open = true;
    details.dispatchEvent(new dom.window.Event("toggle") as unknown as Event);
  });
  await settle();
  const titles = [...dom.window.document.querySelectorAll("[data-notification]")].map(({ textContent }) => textContent);
  expect(titles[0]).toContain("Deposit number 10");
  expect(dom.find("[data-notification] a").getAttribute("href")).toBe("/admin?tab=deposits");
  await dom.press(dom.button("Mark all read"));
  await settle();
  expect(fetches.sent.at(-1)).toMatchObject({ at: "POST /api/admin/notifications/read-all", body: { through: 16 } });
  expect(label()).toBe("Notifications");
  expect(dom.window.document.querySelector("[aria-label=Unread]")).toBeNull();
});

test("raises an alert of this device while nobody looks, for the kinds that were chosen and no other", async () => {
  shown.length = 0;
  await say("notification", one(17));
  expect(shown).toEqual([]);
  hidden = true;
  await say("notification", one(18));
  await settle(200);
  await say("notification", one(19, { type: "visitor", priority: "low" }));
  await say("notification", one(20, { type: "trade", metadata: { demo: true } }));
  await until("it is raised", () => shown.length > 0);
  await settle(500);
  expect(shown).toEqual([{ title: "New deposit request", body: "Deposit number 18" }]);
  // Another tab of this browser has raised it already.
  localStorage.setItem("alert-raised", "30");
  await say("notification", one(21));
  await settle(500);
  expect(shown).toHaveLength(1);
});
