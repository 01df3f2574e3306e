import { describe, expect, test } from "bun:test";
import { FORM_TYPE, JSON_TYPE, refuseCrossSite, refuseMediaType, refuseUnaddressed } from "./guard";

const to = (headers: Record<string, string>, body: string | null = "{}") => new Request("http://halyard.test/api/x", { method: "POST", headers, body });
const site = (headers: Record<string, string>, publicUrl: string | null = null) => {
  const request = to(headers);
  return () => refuseCrossSite({ request, url: new URL(request.url) }, publicUrl);
};

describe("a write", () => {
  test("of this site's own pages, and of programs, passes", () => {
    for (const headers of [{}, { origin: "http://halyard.test" }, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }])
      expect(site(headers as Record<string, string>)).not.toThrow();
    expect(site({ origin: "https://trade.example" }, "https://trade.example")).not.toThrow();
  });

  test.each([
    "https://evil.example",
    "http://halyard.test.evil.example",
    "http://evil-halyard.test",
    "https://halyard.test",
    "http://halyard.test:8080",
    "null",
    "",
  ])("of %p does not", (origin) => {
    expect(site({ origin })).toThrow("This request came from another site.");
  });

  test("of a site on https comes from there alone, whatever the browser says", () => {
    const own = "https://trade.example";
    for (const said of [{}, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }]) {
      expect(site({ ...said, origin: own } as Record<string, string>, own)).not.toThrow();
      expect(site({ ...said } as Record<string, string>, own)).not.toThrow();
      for (const origin of ["http://halyard.test", "http://trade.example", "null"])
        expect(site({ ...said, origin } as Record<string, string>, own)).toThrow("This request came from another site.");
    }
    expect(site({ origin: "http://halyard.test" }, "http://trade.lan")).not.toThrow();
  });

  test("what the browser says of the site counts more than the origin", () => {
    expect(site({ "sec-fetch-site": "same-site", origin: "http://halyard.test" })).toThrow();
    expect(site({ "sec-fetch-site": "SAME-ORIGIN" })).toThrow();
    expect(site({ "sec-fetch-site": "" })).toThrow();
  });
});

describe("a type", () => {
  const refuses = (type: string, accepted: RegExp) => {
    try {
      refuseMediaType(to({ "content-type": type }), accepted);
      return false;
    } catch {
      return true;
    }
  };
  test.each(["application/json", "Application/JSON", "application/json;charset=utf-8", "application/json ; charset=utf-8"])("%p is JSON", (type) => {
    expect(refuses(type, JSON_TYPE)).toBe(false);
  });
  test.each([
    "text/plain; json",
    "text/plain;application/json",
    "application/json5",
    "application/jsonp",
    "application/problem+json",
    "json",
    "*/*",
    "application/json, text/plain",
  ])("%p is not", (type) => {
    expect(refuses(type, JSON_TYPE)).toBe(true);
  });
  test("forms are two types", () => {
    expect(refuses("application/x-www-form-urlencoded", FORM_TYPE)).toBe(false);
    expect(refuses("multipart/form-data; boundary=b", FORM_TYPE)).toBe(false);
    expect(refuses("application/json", FORM_TYPE)).toBe(true);
    expect(refuses("text/plain", FORM_TYPE)).toBe(true);
  });
  test("may be missing where nothing is sent", () => {
    expect(() => refuseMediaType(to({}, null), JSON_TYPE)).not.toThrow();
    const untyped = new Request("http://halyard.test/", { method: "POST", body: new Uint8Array([123, 125]) });
    expect(() => refuseMediaType(untyped, JSON_TYPE)).toThrow();
  });
});

test("a request names one host", () => {
  const named = (host: string | null, url = "http://halyard.test/") => refuseUnaddressed(new Request(url, { headers: host === null ? {} : { host } }))?.status;
  expect(named("halyard.test")).toBeUndefined();
  expect(named(null)).toBeUndefined();
  expect(named("a, b")).toBe(400);
});
