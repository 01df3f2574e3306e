import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { QrCode } from "../../views/ui/QrCode";
import { type Person, type TestApp, testApp } from "../testing/app";
import { codeIn, holdHalfMinute } from "../testing/codes";
import { keyAddress } from "./totp";

/** The page of the second factor and the form of sign-in, as plain forms. */

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());
afterAll(holdHalfMinute());

const send = (person: Person, path: string, fields: Record<string, string>) =>
  person.call("POST", path, { raw: new URLSearchParams(fields).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
const step = (person: Person, fields: Record<string, string>) => send(person, "/two-factor", fields);
const codesOf = (html: string) => [...html.matchAll(/<li class="py-1">([A-Z2-7-]{19})<\/li>/g)].map(([, code = ""]) => code);
const secretOf = (html: string) => /data-secret="([A-Z2-7]{32})"/.exec(html)?.[1] ?? "";

async function begun() {
  const person = await app.trader();
  const { text, status } = await step(person, { step: "begin", password: PASSWORD });
  expect(status).toBe(200);
  return { person, html: text, secret: secretOf(text) };
}
async function guarded() {
  const { person, secret } = await begun();
  const { text, headers } = await step(person, { step: "confirm", code: codeIn(secret, -1) });
  expect(headers.get("cache-control")).toContain("no-store");
  return { person, secret, codes: codesOf(text) };
}

describe("the page", () => {
  test("draws the key that it names, for the app and for the eye", async () => {
    const { html, secret, person } = await begun();
    const code = renderToStaticMarkup(createElement(QrCode, { text: keyAddress("Halyard", person.email, secret), label: "" }));
    const pathOf = (svg: string) => /<path d="([^"]+)"/.exec(svg)?.[1] ?? "";
    expect(pathOf(html.slice(html.indexOf("QR code for your authenticator app")))).toBe(pathOf(code));
  });

  test("keeps the key while a wrong code is mended, then shows ten codes once", async () => {
    const { person, secret } = await begun();
    const wrong = await step(person, { step: "confirm", code: codeIn(secret, 9) });
    expect([wrong.status, secretOf(wrong.text)]).toEqual([400, secret]);
    expect(wrong.text).toContain("This code is not right.");
    const done = await step(person, { step: "confirm", code: codeIn(secret) });
    expect([done.status, codesOf(done.text).length]).toEqual([200, 10]);
    const { text } = await person.get("/two-factor");
    expect(text).toContain("10 recovery codes are left");
    expect(codesOf(text)).toEqual([]);
    expect(text).not.toContain(secret);
    expect((await person.get("/profile")).text).toContain("10 of 10 recovery codes are left");
  });

  test("makes new codes and switches off", async () => {
    const { person, codes, secret } = await guarded();
    const made = await step(person, { step: "codes", password: PASSWORD, code: codes[0] ?? "" });
    expect([made.status, codesOf(made.text).length]).toEqual([200, 10]);
    const wrong = await step(person, { step: "off", password: PASSWORD, code: codes[1] ?? "" });
    expect([wrong.status, wrong.text.includes("This code is not right, or was used already.")]).toEqual([403, true]);
    const off = await step(person, { step: "off", password: PASSWORD, code: codeIn(secret) });
    expect([off.status, off.headers.get("location")]).toEqual([303, "/two-factor"]);
    expect((await person.get("/two-factor")).text).toContain("Set it up");
  });

  test("says what is wrong at its field, and never gives a password back", async () => {
    const person = await app.trader();
    const wrong = await step(person, { step: "begin", password: "Wr0ng-horse" });
    expect([wrong.status, wrong.text.includes("This is not your current password.")]).toEqual([403, true]);
    expect(wrong.text).not.toContain("Wr0ng-horse");
    expect((await step(person, { step: "confirm", code: "１２３４５６" })).status).toBe(400);
    const early = await step(person, { step: "confirm", code: "123456" });
    expect([early.status, early.text.includes("Begin with your password first.")]).toEqual([409, true]);
  });

  test.each(["", "nothing", "constructor", "__proto__"])("a step %p that there is not shows the page", async (name) => {
    const person = await app.trader();
    expect((await step(person, { step: name })).status).toBe(200);
  });

  test("leads a stranger to sign in", async () => {
    expect((await app.stranger().get("/two-factor")).headers.get("location")).toBe("/login?returnTo=%2Ftwo-factor");
    const { status, text } = await step(app.stranger(), { step: "begin", password: PASSWORD });
    expect([status, text.includes("What you sent was not done, and is not kept.")]).toEqual([401, true]);
    expect(text).toContain('name="returnTo" value="/two-factor"');
  });
});

describe("signing in by the form", () => {
  const hidden = (html: string) => /<div hidden=""[^>]*>(?:(?!<\/div>).)*for="code"/.test(html);

  test("has no field for a code until it is asked for", async () => {
    expect(hidden((await app.stranger().get("/login")).text)).toBe(true);
  });

  test("asks for the code, keeps the address, and lets in", async () => {
    const { person, secret } = await guarded();
    const visitor = app.stranger();
    const fields = { email: person.email, password: PASSWORD, code: "", returnTo: "/accounts" };
    const asked = await send(visitor, "/login", fields);
    expect([asked.status, hidden(asked.text)]).toEqual([401, false]);
    expect(asked.text).toContain("Enter the code from your authenticator app. Your password is needed once more.");
    expect(asked.text).toContain(`value="${person.email}"`);
    expect(asked.text).toContain('value="/accounts"');
    expect(asked.text).not.toContain(PASSWORD);
    const code = codeIn(secret);
    const slip = await send(visitor, "/login", { ...fields, password: "Wr0ng-horse", code });
    expect([slip.status, hidden(slip.text), slip.text.includes(`value="${code}"`)]).toEqual([401, false, true]);
    const wrong = await send(visitor, "/login", { ...fields, code: "AAAA-AAAA-AAAA-AAAA" });
    expect(wrong.text).toContain("This code is not right, or was used already.");
    const done = await send(visitor, "/login", { ...fields, code });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/accounts"]);
  });
});
