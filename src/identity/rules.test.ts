import { expect, test } from "bun:test";
import { Refusal } from "../lib/refusal";
import { faded, refuseSignIn, safeReturn, type Standing, waitAfter } from "./rules";

test.each([
  ...[
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "https://evil.example",
    "http:evil.example",
    "javascript:alert(1)",
  ],
  ...[
    "/\t/evil.example",
    "/\n/evil.example",
    "/%0d%0aSet-Cookie:a=b\r\n",
    " /dashboard",
    "dashboard",
    "",
    "?a=b",
    "#x",
    "/a\u0000b",
    "/\u2028",
    "/é",
    "/.//evil.example",
  ],
  ...[
    "/api",
    "/api/auth/logout",
    "/API/auth/logout",
    "/api/../api/x",
    "/x/../api/auth/logout",
    "/%61pi/auth/logout",
    "/a/..//evil.example",
    "/%2e%2e//evil.example",
  ],
  ...[
    "/login",
    "/register",
    "/login?returnTo=/login",
    "/%zz",
    `/${"a".repeat(2_001)}`,
    "@evil.example",
    "/..//evil.example",
    "//evil.example@this.site/",
    null,
    undefined,
  ],
])("a return to %p leads to the dashboard", (target) => {
  expect(safeReturn(target)).toBe("/dashboard");
});

test.each(["/", "/trading?account=1&x=%2F", "/dashboard#top", "/deposit", "/apiary", "/user-portal/history"])("a return to %s leads there", (target) => {
  expect(safeReturn(target)).toBe(target);
});

test("five tries are free, then each failure doubles the wait up to a quarter of an hour", () => {
  expect([0, 1, 4].map((failures) => waitAfter(failures, 0))).toEqual([0, 0, 0]);
  expect([5, 6, 7, 8, 14, 15, 1000].map((failures) => waitAfter(failures, 0))).toEqual([1, 2, 4, 8, 512, 900, 900]);
  expect([49, 50, 53].map((failures) => waitAfter(failures, 0, 50))).toEqual([0, 1, 8]);
  // Five within a minute are five, though the first has faded a little.
  expect(waitAfter(4.9, 0)).toBe(1);
  expect(waitAfter(8, 3)).toBe(5);
  expect(waitAfter(8, 9)).toBe(0);
});

test("failures fade by half every ten minutes, so that nobody is locked out for ever", () => {
  expect([faded(8, 0), faded(8, 600), faded(8, 1800)]).toEqual([8, 4, 1]);
  expect(waitAfter(faded(1000, 7200), 7200)).toBe(0);
});

test("who may not sign in is told why; a suspension ends by itself", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const person: Standing = {
    role: "user",
    accountStatus: "active",
    registrationStatus: "pending",
    suspendedUntil: null,
    suspensionReason: null,
    registrationReason: null,
  };
  const code = (over: Partial<Standing>) => {
    try {
      refuseSignIn({ ...person, ...over }, now);
      return null;
    } catch (error) {
      return (error as Refusal).code;
    }
  };
  expect(code({})).toBeNull();
  expect(code({ registrationStatus: "rejected" })).toBe("registration_rejected");
  expect(code({ accountStatus: "banned" })).toBe("account_banned");
  expect(code({ accountStatus: "suspended" })).toBe("account_suspended");
  expect(code({ accountStatus: "suspended", suspendedUntil: "2026-11-21T12:00:01.000Z" })).toBe("account_suspended");
  expect(code({ accountStatus: "suspended", suspendedUntil: "2026-11-21T12:00:00.000Z" })).toBeNull();
});
