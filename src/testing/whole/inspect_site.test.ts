import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, type Site } from "../browser";
import { inspect } from "../inspect";

/** Every page that a visitor reads, in both themes, on the narrowest phone, and with its text twice as large. */

const PAGES = [
  "/",
  "/register",
  "/login",
  "/about",
  "/trading-assets",
  "/trading-assets?tab=indices",
  "/trading-assets?tab=crypto",
  "/faq",
  "/faq?q=margin",
  "/faq?q=nothing+of+this",
  "/contact",
  "/contact?sent=1",
  "/terms",
  "/privacy",
  "/payment-policy",
  "/domain-verification",
  "/integrity",
  "/verify",
  "/clear-history",
  "/deposit",
  "/no-such-page",
  "/offline",
  "/styleguide",
];

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await openSite();
  page = await site.visit({ bypassCSP: true });
});
afterAll(() => site.close());

describe("no page of the public site is hard to read or wider than its screen", () => {
  test.each(PAGES)("%s", async (path) => expect(await inspect(page, [path], { large: true })).toEqual([]));
});
