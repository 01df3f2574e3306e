import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StaffDeposit } from "../../src/funding/schema";
import type { Claim } from "../../src/admin/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { AdminDeposits } from "./AdminDeposits";

const ME = "00000000-0000-4000-8000-00000000000a";
const deposit = (n: number, over: Partial<StaffDeposit> = {}): StaffDeposit => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  userId: `00000000-0000-4000-8000-0000000000${n}0`,
  amount: "5000.00",
  currency: "BTC",
  method: "crypto",
  cryptoType: "BTC",
  network: "Mainnet",
  walletAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  transactionHash: null,
  outputIndex: 0,
  notes: "",
  status: "pending",
  proofOfPayment: null,
  rate: null,
  credited: null,
  bonusApplied: "0.00",
  rejectionReason: null,
  approvedAt: null,
  rejectedAt: null,
  completedAt: null,
  createdAt: "2026-01-05T10:00:00.000Z",
  firstName: ["Ada", "Grace", "Own"][n - 1] ?? "Some",
  lastName: "Bell",
  email: `person${n}@t.test`,
  adminNotes: null,
  decidedBy: null,
  creditsUsd: "5000.00",
  ...over,
});
const ADA = deposit(1);
const GRACE = deposit(2, { amount: "70.00" });
const OWN = deposit(3, { userId: ME });

type Sent = { method: string; url: string; body: unknown; key: string | undefined };
let dom: TestDom;
let sent: Sent[];
let waiting: StaffDeposit[];
let decision: () => Response;
let forecast: () => Response;
let claims: Claim[];
let claimed: string[];
let confirmAbove: string;
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  sent = [];
  claims = [];
  claimed = [];
  confirmAbove = "5000.00";
  waiting = [ADA, GRACE, OWN];
  forecast = () => Response.json({ creditsUsd: "5000.00", bonus: "600.00", referral: null });
  decision = () => {
    waiting = waiting.slice(1);
    return Response.json({ ...ADA, status: "approved", credited: "5000.00", bonusApplied: "600.00" });
  };
  globalThis.fetch = (async (url: string, { method, headers, body }: { method: string; headers: Record<string, string>; body: string | null }) => {
    if (url.startsWith("/api/admin/claims")) {
      claimed.push(`${method} ${url}${body ?? ""}`);
      return Response.json(method === "GET" ? claims : []);
    }
    if (url.startsWith("/api/admin/saved-filters")) return Response.json([]);
    if (url === "/api/admin/snoozes") return Response.json([]);
    if (url.startsWith("/api/admin/evidence/")) return Response.json({ message: "Not found.", code: "not_found" }, { status: 404 });
    if (url === "/api/admin/waiting") return Response.json({ deposits: waiting.length });
    if (url === "/api/admin/settings") return Response.json({ confirmAbove });
    sent.push({ method, url, body: body === null ? null : JSON.parse(body), key: headers["Idempotency-Key"] });
    if (url.endsWith("/forecast")) return forecast();
    if (method === "POST") return decision();
    return Response.json(url.includes("status=pending") ? waiting : []);
  }) as unknown as typeof fetch;
  await dom.draw(
    <AdminDeposits
      waiting={waiting}
      decided={[]}
      total={3}
      query={{ q: "", status: "decided", sort: "wait", from: "", to: "", limit: "50" }}
      me={ME}
      confirmAbove="5000.00"
      snoozes={[]}
      filters={[]}
      now="2026-01-05T12:00:00.000Z"
    />,
  );
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
});

const settle = () => dom.act(async () => void (await Bun.sleep(0)));
const key = async (name: string) => {
  await dom.key(name);
  await settle();
};
const current = () => dom.window.document.querySelector("[data-current]")?.getAttribute("data-row") ?? null;
const dialog = () => dom.window.document.querySelector("dialog[open]")?.textContent ?? null;
const posts = () => sent.filter(({ method }) => method === "POST");
const rows = () => [...dom.window.document.querySelectorAll("[data-row]")].map((row) => row.getAttribute("data-row"));

test("j and k walk the rows and stop at the ends", async () => {
  expect(current()).toBeNull();
  await key("j");
  expect(current()).toBe(ADA.id);
  await key("j");
  await key("j");
  await key("j");
  expect(current()).toBe(OWN.id);
  await key("k");
  expect(current()).toBe(GRACE.id);
});

test("a states the decision with its consequence, and only the button carries it out", async () => {
  await key("j");
  await key("a");
  expect(dialog()).toContain("Credits $5,000.00 to Ada Bell; bonuses $600.00");
  expect(posts()).toEqual([]);
  await dom.type("#approve-notes", "Seen on chain");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(posts()).toEqual([{ method: "POST", url: `/api/admin/deposits/${ADA.id}/approve`, body: { notes: "Seen on chain" }, key: expect.any(String) }]);
  expect(dialog()).toBeNull();
  expect(dom.toast()).toBe("Deposit approved$5,000.00 and $600.00 of bonuses credited to Ada Bell.");
  // The decided row stays where it stood, so that nothing comes into its place.
  expect(rows()).toEqual([ADA.id, GRACE.id, OWN.id]);
  expect(dom.find(`[data-row="${ADA.id}"][data-marked]`).textContent).toContain("Approved");
  expect(dom.find("[data-count]").textContent).toBe("2");
  expect(current()).toBe(GRACE.id);
});

test("without a forecast nothing can be approved", async () => {
  forecast = () => Response.json({ message: "There is no current price for EUR/USD. Please try again later.", code: "stale_price" }, { status: 503 });
  await key("a");
  expect(dialog()).toBeNull();
  expect(dom.toast()).toBe("ErrorThere is no current price for EUR/USD. Please try again later.");
  expect(posts()).toEqual([]);
});

test("r asks for a reason and sends nothing without one", async () => {
  await key("r");
  await dom.press(dom.find("#reject [type=submit]"));
  expect(dom.find("#reject-reason-error").textContent).toBe("A reason is required");
  expect(posts()).toEqual([]);
  await dom.type("#reject-reason", "No payment arrived");
  await dom.press(dom.find("#reject [type=submit]"));
  await settle();
  expect(posts()).toMatchObject([{ url: `/api/admin/deposits/${ADA.id}/reject`, body: { reason: "No payment arrived" } }]);
});

test("a late click hears what the request already is, and the list comes anew", async () => {
  decision = () => {
    waiting = [GRACE];
    return Response.json({ message: "This deposit is already rejected.", code: "conflict" }, { status: 409 });
  };
  await key("a");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(dom.toast()).toBe("ErrorThis deposit is already rejected.");
  expect(dialog()).toBeNull();
  expect(rows()).toEqual([GRACE.id]);
});

test("a decision whose answer was lost stays open and goes again under its key", async () => {
  const good = decision;
  decision = () => {
    throw new TypeError("network");
  };
  await key("a");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(dialog()).toContain("No answer came. Press again to make sure");
  decision = good;
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(posts()[1]?.key).toBe(posts()[0]?.key as string);
  expect(dialog()).toBeNull();
});

test("nobody decides about oneself, by keys neither", async () => {
  for (const name of ["j", "j", "j", "a", "r"]) await key(name);
  expect(current()).toBe(OWN.id);
  expect(dialog()).toBeNull();
});

test("keys are letters again while somebody writes or a dialog is open", async () => {
  await key("r");
  expect(dialog()).toContain("Reject");
  await key("a");
  expect(dialog()).toContain("Reject $5,000.00");
  expect(posts()).toEqual([]);
});

test("the colour tells how long each waits", () => {
  expect(dom.find(`[data-row="${ADA.id}"] [data-wait]`).getAttribute("data-wait")).toBe("long");
  expect(dom.find(`[data-row="${ADA.id}"] [data-wait]`).textContent).toBe("2 h");
});

const opened = async () => {
  await dom.act(async () => SilentEventSource.opened.at(-1)?.onopen?.());
  await settle();
};

test("who else has a request open is said; one's own claim lasts as long as the dialog", async () => {
  const claim = { kind: "deposit" as const, objectId: ADA.id, touchedAt: new Date().toISOString(), expiresAt: "2026-01-05T12:00:45.000Z" };
  claims = [
    { ...claim, adminId: ME, name: "Myself" },
    { ...claim, adminId: "00000000-0000-4000-8000-00000000000b", name: "Grace Hopper" },
  ];
  await opened();
  expect(dom.find(`[data-row="${ADA.id}"] [data-looking]`).textContent).toBe("Grace Hopper is looking at this");
  expect(dom.window.document.querySelectorAll("[data-looking]")).toHaveLength(1);
  claimed = [];
  await key("r");
  expect(claimed).toEqual([`POST /api/admin/claims{"kind":"deposit","objectId":"${ADA.id}","idle":0}`]);
  // The row that says so lies behind the dialog.
  expect(dom.find("#reject").textContent).toContain("Grace Hopper is looking at this");
  await dom.press(dom.button("Close"));
  await settle();
  expect(claimed.at(-1)).toBe(`DELETE /api/admin/claims/${ADA.id}`);
});

test("nobody is said to look at a request that was decided, though its row stays", async () => {
  claims = [
    {
      kind: "deposit",
      objectId: ADA.id,
      touchedAt: new Date().toISOString(),
      expiresAt: "2026-01-05T12:00:45.000Z",
      adminId: "00000000-0000-4000-8000-00000000000b",
      name: "Grace Hopper",
    },
  ];
  await opened();
  expect(dom.window.document.querySelectorAll("[data-looking]")).toHaveLength(1);
  await key("a");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(dom.find(`[data-row="${ADA.id}"] [data-mark]`).textContent).toBe("Approved");
  expect(dom.window.document.querySelectorAll("[data-looking]")).toHaveLength(0);
});

test("who else claims its payment stands beside the deposit, and in the dialog", async () => {
  const eve = {
    userId: "00000000-0000-4000-8000-0000000000e1",
    firstName: "Eve",
    lastName: "Late",
    email: "eve@t.test",
    createdAt: "2026-11-20T10:00:00.000Z",
  };
  waiting = [{ ...ADA, transactionHash: "ab".repeat(32), claims: [eve] }];
  await opened();
  await dom.act(async () => void (await import("../runtime/live_list")).refreshLists());
  await settle();
  expect(dom.find(`[data-row="${ADA.id}"]`).textContent).toContain("This payment is also claimed by Eve Late");
  await key("a");
  expect(dom.find("#approve").textContent).toContain("Eve Late");
});

test("above the threshold of this moment the amount is typed, and a wrong one is not sent", async () => {
  confirmAbove = "4999.99";
  await opened();
  await key("a");
  await dom.press(dom.find("#approve [type=submit]"));
  expect(dom.find("#approve-amount-error").textContent).toBe("Type the amount");
  await dom.type("#approve-amount", "500");
  expect(dom.find("#approve-amount-error").textContent).toBe("This is not the request's amount.");
  expect(posts()).toEqual([]);
  await dom.type("#approve-amount", "5000");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(posts()).toMatchObject([{ url: `/api/admin/deposits/${ADA.id}/approve`, body: { notes: "", confirmAmount: "5000.00" } }]);
});

test("the amount is asked for where the server wants it typed, though the list did not say so", async () => {
  const fields = { confirmAmount: "Type the amount" };
  decision = () => Response.json({ message: "Type the amount", code: "invalid", fields }, { status: 400 });
  await opened();
  await key("a");
  await dom.press(dom.find("#approve [type=submit]"));
  await settle();
  expect(dom.find("#approve-amount-error").textContent).toBe("Type the amount");
});
