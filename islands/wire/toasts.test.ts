import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Window } from "happy-dom";
import { until } from "../../src/testing/scenarios";
import { toast } from "./toasts";

let window: Window;

beforeEach(() => {
  jest.useFakeTimers();
  window = new Window({ url: "http://localhost/" });
  window.document.body.innerHTML = '<section id="toasts" tabindex="-1"></section>';
  Object.assign(globalThis, { document: window.document });
});
afterEach(async () => {
  jest.useRealTimers();
  await window.happyDOM.close();
  Reflect.deleteProperty(globalThis, "document");
});

const region = () => window.document.getElementById("toasts")!;
const visible = () => [...region().children].filter((element) => !element.hasAttribute("hidden"));
const titles = () => visible().map((element) => element.querySelector("p")?.textContent);
const pointer = (type: string, clientX: number) => visible()[0]?.dispatchEvent(new window.PointerEvent(type, { clientX, bubbles: true }));

test("shows one at a time: the newest", () => {
  toast({ title: "First" });
  toast({ title: "Second", description: "It came later." });
  expect(titles()).toEqual(["Second"]);
  expect(region().textContent).toContain("It came later.");
});

test("keeps a loss and its sign on one line, and says the words as they are", () => {
  toast({ title: "Position closed", description: "EUR/USD closed with −$1,234.56; the market result was −$3." });
  expect(region().textContent).toContain("EUR/USD closed with −$1,234.56; the market result was −$3.");
  expect([...region().querySelectorAll("span.whitespace-nowrap")].map((each) => each.textContent)).toEqual(["−$1,234.56", "−$3"]);
});

test("leads to the page that a refusal names", () => {
  toast({
    title: "Trade Failed",
    description: "For −$5 it needs a document. Send it under /verification, or verify /email. Not /verifications or a/verification.",
  });
  expect([...region().querySelectorAll("a")].map((each) => [each.getAttribute("href"), each.textContent])).toEqual([
    ["/verification", "Verification"],
    ["/email", "Email address"],
  ]);
  expect(region().textContent).toContain(
    "For −$5 it needs a document. Send it under Verification, or verify Email address. Not /verifications or a/verification.",
  );
});

test("closes by itself after five seconds, not before, and leaves the document much later", () => {
  toast({ title: "Saved" });
  jest.advanceTimersByTime(4999);
  expect(titles()).toEqual(["Saved"]);
  jest.advanceTimersByTime(1);
  expect(titles()).toEqual([]);
  jest.advanceTimersByTime(999_999);
  expect(region().children).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(region().children).toHaveLength(0);
});

test("an older toast's clock does not close the newer one", () => {
  toast({ title: "First" });
  jest.advanceTimersByTime(3000);
  toast({ title: "Second" });
  jest.advanceTimersByTime(3000);
  expect(titles()).toEqual(["Second"]);
});

test("waits while someone points at it", () => {
  toast({ title: "Read me" });
  visible()[0]?.dispatchEvent(new window.PointerEvent("pointerenter"));
  jest.advanceTimersByTime(60_000);
  expect(titles()).toEqual(["Read me"]);
  visible()[0]?.dispatchEvent(new window.PointerEvent("pointerleave"));
  jest.advanceTimersByTime(5000);
  expect(titles()).toEqual([]);
});

test("a swipe of 50 pixels to the right dismisses it, a shorter one or one to the left does not", () => {
  toast({ title: "Swipe me" });
  pointer("pointerdown", 100);
  pointer("pointermove", 140);
  pointer("pointerup", 149);
  expect(titles()).toEqual(["Swipe me"]);
  pointer("pointerdown", 100);
  pointer("pointerup", 10);
  expect(titles()).toEqual(["Swipe me"]);
  pointer("pointerdown", 100);
  pointer("pointerup", 150);
  expect(titles()).toEqual([]);
});

test("its button and Escape close it", () => {
  toast({ title: "One" });
  visible()[0]?.querySelector("button")?.click();
  expect(titles()).toEqual([]);
  toast({ title: "Two" });
  visible()[0]?.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
  expect(titles()).toEqual([]);
});

test("stands above the prices under the thumb, and where it always stands without them", () => {
  const bottom = () => (region() as unknown as HTMLElement).style.bottom;
  const bar = window.document.createElement("div");
  window.document.body.append(bar);
  bar.setAttribute("data-bottom-bar", "");
  Object.defineProperty(bar, "offsetHeight", { value: 74 });
  toast({ title: "Trade Executed" });
  expect(bottom()).toBe("90px");
  bar.remove();
  toast({ title: "Saved" });
  expect(bottom()).toBe("");
});

test("F8 takes the keyboard to the region", () => {
  toast({ title: "Here" });
  window.document.dispatchEvent(new window.KeyboardEvent("keydown", { key: "F8" }));
  expect(window.document.activeElement).toBe(region() as never);
});

test("bad news interrupts, good news waits; text is text", () => {
  toast({ title: "Login Failed", description: "<img src=x onerror=alert(1)>", variant: "destructive" });
  expect(visible()[0]?.getAttribute("role")).toBe("alert");
  expect(region().querySelector("img")).toBeNull();
  toast({ title: "Saved" });
  expect(visible()[0]?.getAttribute("role")).toBe("status");
});

for (const [how, end] of [
  ["closes", (dialog: HTMLDialogElement) => dialog.close()],
  ["is taken away", (dialog: HTMLDialogElement) => dialog.remove()],
] as const)
  test(`lives in an open dialog, which would cover it, until the dialog ${how}`, async () => {
    jest.useRealTimers();
    Object.assign(globalThis, { MutationObserver: window.MutationObserver });
    const dialog = window.document.createElement("dialog");
    window.document.body.append(dialog);
    dialog.setAttribute("open", "");
    const close = toast({ title: "Refused", variant: "destructive" });
    dialog.dispatchEvent(new window.Event("close"));
    // Told late, of a closing before this opening.
    expect(dialog.contains(region())).toBe(true);
    end(dialog as unknown as HTMLDialogElement);
    await until("the region is back on the page", () => window.document.getElementById("toasts")?.parentElement === window.document.body);
    expect(titles()).toEqual(["Refused"]);
    close();
    Reflect.deleteProperty(globalThis, "MutationObserver");
  });
