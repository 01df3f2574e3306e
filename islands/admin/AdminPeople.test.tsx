import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Member, User } from "../../src/identity/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { AdminClientFacts } from "./AdminClientFacts";
import { AdminRegistrations } from "../identity/AdminRegistrations";
import { AdminUsers } from "../identity/AdminUsers";
import { refreshLists } from "../runtime/live_list";

const user = (over: Partial<User>): User => ({
  id: "00000000-0000-4000-8000-000000000001",
  email: "ada@t.test",
  firstName: "Ada",
  lastName: "Bell",
  profileImageUrl: null,
  staffRole: null,
  referralCode: "AAAAAAAAAA",
  referredBy: null,
  isEmailVerified: false,
  registrationStatus: "approved",
  approvedAt: null,
  registrationSource: "direct",
  accountBalance: "1234.50",
  tradingBalance: "0.00",
  totalProfit: "0.00",
  creditScore: 750,
  riskLevel: "medium",
  tradingExperience: "beginner",
  accountStatus: "active",
  kycStatus: "pending",
  isVip: false,
  country: null,
  role: "user",
  lastLoginAt: null,
  suspendedUntil: null,
  createdAt: "2026-01-05T10:00:00.000Z",
  updatedAt: "2026-01-05T10:00:00.000Z",
  ...over,
});
const ADA = user({});
const ME = user({ id: "00000000-0000-4000-8000-00000000000a", firstName: "Me", role: "admin" });

type Sent = { url: string; body: unknown };
let dom: TestDom;
let posts: Sent[];
let list: unknown[];
let decision: () => Response;
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  posts = [];
  globalThis.fetch = (async (url: string, { method, body }: { method: string; body: string | null }) => {
    if (url.startsWith("/api/admin/claims")) return Response.json([]);
    if (url.startsWith("/api/admin/evidence/")) return Response.json({ message: "Not found.", code: "not_found" }, { status: 404 });
    if (method !== "POST") return Response.json(list);
    posts.push({ url, body: body === null ? null : JSON.parse(body) });
    return decision();
  }) as unknown as typeof fetch;
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
});

const settle = () => dom.act(async () => void (await Bun.sleep(0)));
const pressAndSettle = async (element: HTMLElement) => {
  await dom.press(element);
  await settle();
};
const words = () => dom.window.document.body.textContent ?? "";

describe("users", () => {
  beforeEach(async () => {
    list = [{ ...ADA, accountStatus: "suspended" }, ME];
    decision = () => Response.json({ user: ADA });
    await dom.draw(<AdminUsers users={[ADA, ME]} query={{ q: "", status: "all", kyc: "all", from: "", to: "", sort: "-created", limit: "50" }} me={ME.id} />);
  });

  test("a suspension needs a reason; its end is sent with a zone; the list comes anew", async () => {
    await dom.press(dom.button("Suspend Ada Bell"));
    expect(dom.find("#standing").textContent).toContain("Signs Ada Bell out everywhere");
    await dom.press(dom.find("#standing [type=submit]"));
    expect(dom.find("#standing-reason-error").textContent).toBe("A reason is required");
    expect(posts).toEqual([]);
    await dom.type("#standing-reason", "Odd sign-ins");
    await dom.type("#standing-until", "2099-05-06T07:08");
    await pressAndSettle(dom.find("#standing [type=submit]"));
    const suspendUntil = new Date("2099-05-06T07:08").toISOString();
    expect(posts).toEqual([{ url: `/api/admin/users/${ADA.id}/suspend`, body: { reason: "Odd sign-ins", suspendUntil, shown: "active" } }]);
    expect(dom.toast()).toBe("User suspendedAda Bell (ada@t.test)");
    expect(dom.button("Activate Ada Bell")).toBeDefined();
  });

  test("a ban says that it is for good", async () => {
    await dom.press(dom.button("Ban Ada Bell"));
    expect(dom.find("#standing").textContent).toContain("for good");
    await dom.type("#standing-reason", "Stolen cards");
    await pressAndSettle(dom.find("#standing [type=submit]"));
    expect(posts).toEqual([{ url: `/api/admin/users/${ADA.id}/ban`, body: { reason: "Stolen cards", shown: "active" } }]);
  });

  test("a refusal is told in the server's words, in the dialog as well", async () => {
    decision = () => Response.json({ message: "Administrators only.", code: "forbidden" }, { status: 403 });
    await dom.press(dom.button("Ban Ada Bell"));
    await dom.type("#standing-reason", "Stolen cards");
    await pressAndSettle(dom.find("#standing [type=submit]"));
    expect(dom.toast()).toBe("ErrorAdministrators only.");
    expect(dom.find("#standing [role=alert]").textContent).toBe("Administrators only.");
  });
});

describe("pending registrations", () => {
  const person = { id: ADA.id, firstName: "Ada", lastName: "Bell", email: "ada@t.test", createdAt: ADA.createdAt, registrationSource: "direct" };
  beforeEach(async () => {
    list = [];
    decision = () => Response.json({ user: ADA });
    await dom.draw(
      <AdminRegistrations
        snoozes={[]}
        filters={[]}
        query={{ q: "", from: "", to: "" }}
        people={[person]}
        total={1}
        me="00000000-0000-4000-8000-00000000000a"
      />,
    );
  });

  test("approves at a press and leaves the empty state", async () => {
    expect(words()).toContain("Pending Registrations1");
    await pressAndSettle(dom.button("Approve Ada Bell"));
    expect(posts).toEqual([{ url: `/api/admin/approve-registration/${ADA.id}`, body: null }]);
    expect(dom.toast()).toStartWith("Registration Approved!ada@t.test");
    expect(words()).toContain("ApprovedUndo (8 s)");
    expect(words()).toContain("Pending Registrations0");
  });

  test("rejects with or without a reason", async () => {
    await dom.press(dom.button("Reject Ada Bell"));
    await pressAndSettle(dom.find("#rejection [type=submit]"));
    expect(posts).toEqual([{ url: `/api/admin/reject-registration/${ADA.id}`, body: { reason: "" } }]);
    expect(dom.toast()).toStartWith("Registration Rejected");
  });

  test("names what failed", async () => {
    decision = () => Response.json({ message: "This registration is already approved.", code: "conflict" }, { status: 409 });
    await pressAndSettle(dom.button("Approve Ada Bell"));
    expect(dom.toast()).toBe("Approval FailedThis registration is already approved.");
    list = [person];
    await dom.draw(
      <AdminRegistrations
        snoozes={[]}
        filters={[]}
        query={{ q: "", from: "", to: "" }}
        key="again"
        people={[person]}
        total={1}
        me="00000000-0000-4000-8000-00000000000a"
      />,
    );
    await dom.press(dom.button("Reject Ada Bell"));
    await pressAndSettle(dom.find("#rejection [type=submit]"));
    expect(dom.toast()).toBe("Rejection FailedThis registration is already approved.");
  });
});

test("a client's profile shows the role that was just given", async () => {
  const member: Member = {
    ...ADA,
    approvedBy: null,
    frozenAt: null,
    referrer: null,
    registrationReason: null,
    suspensionReason: null,
    twoFactor: false,
    longPassword: true,
  };
  await dom.draw(<AdminClientFacts member={member} />);
  expect(words()).toContain("Roleuser");
  const { fetch: listed } = globalThis;
  globalThis.fetch = (async () => Response.json({ ...member, role: "admin" })) as unknown as typeof fetch;
  await dom.act(refreshLists);
  globalThis.fetch = listed;
  expect(words()).toContain("Roleadmin");
});
