import { afterEach, expect, spyOn, test } from "bun:test";
import { alertPermission, enableAlerts, raiseAlert } from "./alerts";

type Shown = { title: string; options: NotificationOptions };
const own = Object.fromEntries(["Notification", "navigator"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
afterEach(() => {
  for (const [name, was] of Object.entries(own)) {
    if (was) Object.defineProperty(globalThis, name, was);
    else Reflect.deleteProperty(globalThis, name);
  }
});

/** A browser in which the person said this when asked, with or without a worker. */
function browser(permission: NotificationPermission, { answer = permission, active = true } = {}): Shown[] {
  const shown: Shown[] = [];
  const registration = {
    active: active ? {} : null,
    showNotification: async (title: string, options: NotificationOptions) => void shown.push({ title, options }),
  };
  const fake = { permission, requestPermission: async () => answer };
  Object.defineProperty(globalThis, "Notification", { value: fake, configurable: true });
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { getRegistration: async () => registration } }, configurable: true });
  return shown;
}

test("where the browser has no notifications, none is asked for and none is shown", async () => {
  expect(alertPermission()).toBe("unsupported");
  expect(await enableAlerts()).toBe("unsupported");
  expect(await raiseAlert("visitor", "Someone from Spain")).toBe(false);
});

test("asks the person and says what they answered", async () => {
  browser("default", { answer: "granted" });
  expect(alertPermission()).toBe("default");
  expect(await enableAlerts()).toBe("granted");
});

test.each([
  ["visitor", "New visitor", "/admin?tab=visitors"],
  ["deposit", "New deposit request", "/admin?tab=deposits"],
  ["withdrawal", "New withdrawal request", "/admin?tab=withdrawals"],
  ["trade", "Trade alert", "/admin?tab=trades"],
] as const)("an alert of kind %s says '%s' and leads to its tab", async (kind, title, url) => {
  const shown = browser("granted");
  expect(await raiseAlert(kind, "x".repeat(400))).toBe(true);
  expect(shown).toMatchObject([{ title, options: { body: "x".repeat(300), tag: kind, data: { url } } }]);
});

test("shows nothing without leave", async () => {
  const shown = browser("denied");
  expect(await raiseAlert("trade", "EUR/USD")).toBe(false);
  expect(shown).toEqual([]);
});

test("says so where the worker is not there yet", async () => {
  const said = spyOn(console, "error").mockImplementation(() => {});
  browser("granted", { active: false });
  expect(await raiseAlert("trade", "EUR/USD")).toBe(false);
  expect(said).toHaveBeenCalledWith("Service worker not registered");
  said.mockRestore();
});
