import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { reportVisit } from "./visit";

/** A browser as far as a visit needs one. */
const sent: { path: string; init: RequestInit }[] = [];
const before = new Map<string, PropertyDescriptor | undefined>();
const put = (name: string, value: unknown) => {
  before.set(name, before.get(name) ?? Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};
const visitor = (pathname: string, wish: object = {}, coarse = false, width = 390) => {
  put("navigator", { userAgent: "Test", ...wish });
  put("location", { pathname });
  put("screen", { width, height: 844 });
  put("matchMedia", () => ({ matches: coarse }));
  put("setInterval", () => 0);
  put("fetch", (path: string, init: RequestInit) => {
    sent.push({ path, init });
    return Promise.reject(new Error("offline"));
  });
};
beforeEach(() => void (sent.length = 0));
afterEach(() => {
  for (const [name, was] of before)
    if (was) Object.defineProperty(globalThis, name, was);
    else delete (globalThis as Record<string, unknown>)[name];
  before.clear();
});

describe("a visit", () => {
  test("is told once, as JSON, without a cookie", () => {
    visitor("/faq");
    reportVisit();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      path: "/api/admin/visitors/track",
      init: { method: "POST", credentials: "omit", keepalive: true, headers: { "Content-Type": "application/json" } },
    });
    expect(JSON.parse(String(sent[0]?.init.body))).toMatchObject({
      page: "/faq",
      device: "desktop",
      screenResolution: "390x844",
      timezone: expect.any(String),
    });
  });

  for (const [device, width] of [
    ["mobile", 390],
    ["tablet", 820],
  ] as const)
    test(`on a ${device} says so`, () => {
      visitor("/", {}, true, width);
      reportVisit();
      expect(JSON.parse(String(sent[0]?.init.body))).toMatchObject({ device });
    });

  for (const [why, path, wish] of [
    ["who asks not to be tracked", "/", { doNotTrack: "1" }],
    ["who sets Global Privacy Control", "/", { globalPrivacyControl: true }],
    ["staff at their own screens", "/admin", {}],
    ["staff in the app", "/admin-app", {}],
    ["staff at another name of the panel", "/enhanced-admin", {}],
  ] as const)
    test(`of ${why} is not told`, () => {
      visitor(path, wish);
      reportVisit();
      expect(sent).toEqual([]);
    });
});
