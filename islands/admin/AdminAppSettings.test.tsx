import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { until } from "../../src/testing/scenarios";
import { AdminAppSettings } from "./AdminAppSettings";
import { PATIENCE_MS } from "../notifications/push_device";

const KEY = "B".repeat(87);
const ENDPOINT = "https://push.example/abc";

/** A browser with a push service, as far as the settings need one. */
type Subscribed = { endpoint: string; options: { applicationServerKey: ArrayBuffer }; toJSON: () => object; unsubscribe: () => Promise<boolean> };
let subscribed: Subscribed | null;
let permission: NotificationPermission;
let answer: NotificationPermission;
let asked: { userVisibleOnly: boolean }[];

let dom: TestDom;
let fetches: ReturnType<typeof holdFetches>;
const stored = new Map<string, string>();
const put = new Map<string, unknown>();
const set = (name: string, value: unknown) => {
  if (!put.has(name)) put.set(name, Reflect.get(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};

const pushManager = {
  getSubscription: () => Promise.resolve(subscribed),
  subscribe: (options: { userVisibleOnly: boolean; applicationServerKey: Uint8Array<ArrayBuffer> }) => {
    asked.push(options);
    subscribed = {
      endpoint: ENDPOINT,
      options: { applicationServerKey: options.applicationServerKey.buffer },
      toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: "p".repeat(87), auth: "a".repeat(22) } }),
      unsubscribe: () => {
        subscribed = null;
        return Promise.resolve(true);
      },
    };
    return Promise.resolve(subscribed);
  },
};

beforeEach(async () => {
  [subscribed, permission, answer, asked] = [null, "default", "granted", []];
  stored.clear();
  dom = await openDom();
  const registration = { active: {}, pushManager };
  set("navigator", {
    serviceWorker: {
      getRegistration: () => Promise.resolve(registration),
      register: () => Promise.resolve(registration),
      ready: Promise.resolve(registration),
    },
  });
  set("PushManager", class {});
  set("localStorage", { getItem: (name: string) => stored.get(name) ?? null, setItem: (name: string, value: string) => stored.set(name, value) });
  set("Notification", {
    get permission() {
      return permission;
    },
    requestPermission: () => Promise.resolve((permission = answer)),
  });
  fetches = holdFetches({
    "GET /api/admin/push": () => Response.json({ publicKey: KEY, devices: 0 }),
    "POST /api/admin/push/subscribe": () => Response.json({ publicKey: KEY, devices: 1 }),
    "POST /api/admin/push/unsubscribe": () => Response.json({ publicKey: KEY, devices: 0 }),
    "POST /api/admin/push/test": () => Response.json({ delivered: true }),
  });
});
afterEach(async () => {
  fetches.end();
  await dom.close();
  for (const [name, value] of put)
    if (value === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  put.clear();
});

const settle = () => dom.act(async () => void (await Bun.sleep(5)));
const press = async (name: string) => {
  await dom.press(dom.button(name));
  await settle();
};
const draw = async () => {
  await dom.draw(<AdminAppSettings />);
  await settle();
};
const sentKinds = () => (fetches.sent.at(-1)?.body as { kinds: string[] } | undefined)?.kinds;
const words = () => dom.window.document.body.textContent ?? "";

test("'Enable' asks the person, subscribes with the server's key, and tells the server which kinds are wanted", async () => {
  await draw();
  expect(words()).toContain("Disabled");
  await press("Enable");
  expect(asked).toMatchObject([{ userVisibleOnly: true }]);
  expect(fetches.sent).toMatchObject([
    { at: "POST /api/admin/push/subscribe", body: { endpoint: ENDPOINT, keys: { p256dh: "p".repeat(87), auth: "a".repeat(22) } } },
  ]);
  expect(sentKinds()).toContain("deposit");
  expect(sentKinds()).not.toContain("visitor");
  expect(words()).toContain("Enabled");
  expect(dom.toast()).toStartWith("Push notifications enabled");
});

test("a test goes through the server; a kind that is chosen is told to it; 'Disable' ends it on both sides", async () => {
  await draw();
  await press("Enable");
  await press("Send test");
  expect(fetches.sent.at(-1)).toMatchObject({ at: "POST /api/admin/push/test", body: { endpoint: ENDPOINT } });
  expect(dom.toast()).toStartWith("Test sent");
  fetches.answers["POST /api/admin/push/test"] = () => Response.json({ delivered: false });
  await press("Send test");
  expect(dom.toast()).toStartWith("Test failed");

  const visitors = [...dom.window.document.querySelectorAll("label")].find(({ textContent }) => textContent === "Visitors")?.querySelector("input");
  await dom.press(visitors as unknown as HTMLElement);
  await settle();
  expect(sentKinds()).toContain("visitor");
  expect(JSON.parse(stored.get("alert-kinds") ?? "[]")).toContain("visitor");

  await press("Disable");
  expect(fetches.sent.at(-1)).toMatchObject({ at: "POST /api/admin/push/unsubscribe", body: { endpoint: ENDPOINT } });
  expect(subscribed).toBeNull();
  expect(words()).toContain("Disabled");
});

test("who says no is told how to change that; a refusal of the server is told in its words", async () => {
  answer = "denied";
  await draw();
  await press("Enable");
  expect(words()).toContain("This browser blocks notifications of this site.");
  expect(fetches.sent).toEqual([]);
});

test("a server that refuses is heard, and nothing is said to be enabled", async () => {
  fetches.answers["POST /api/admin/push/subscribe"] = () => refusal(400, "invalid", "endpoint must be an https address of a push service.");
  await draw();
  await press("Enable");
  expect(dom.toast()).toBe("Errorendpoint must be an https address of a push service.");
});

test("a browser without push says so", async () => {
  set("PushManager", undefined);
  Reflect.deleteProperty(globalThis, "PushManager");
  await draw();
  expect(words()).toContain("can’t receive push here");
});

test("a push service that never answers is told, and 'Enable' can be pressed again", async () => {
  const { setTimeout: wait } = globalThis;
  // The patience with the service is over at once; a toast stays as long as ever.
  set("setTimeout", (work: () => void, ms: number) => wait(work, ms === PATIENCE_MS ? 1 : ms));
  const { subscribe } = pushManager;
  pushManager.subscribe = () => new Promise(() => {});
  await draw();
  await press("Enable");
  await until("it is told", () => dom.toast() !== "");
  pushManager.subscribe = subscribe;
  expect(dom.toast()).toStartWith("ErrorThis browser could not reach its push service.");
  expect(fetches.sent).toEqual([]);
  expect((dom.button("Enable") as HTMLButtonElement).disabled).toBe(false);
});
