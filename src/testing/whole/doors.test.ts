import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { allPermissions, type Permission } from "../../lib/permissions";
import { folders, fileNames } from "../../platform/files";
import type { Route } from "../../platform/http/routes";
import { testApp } from "../app";
import { routesText } from "../route_list";

/** Calls every route as a stranger, a trader and an administrator, over a real connection. */

const app = await testApp();
app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
const base = `http://127.0.0.1:${app.router.server?.port}`;
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

/** Routes that anyone may open. One more is a decision, so it is written down here. */
const PUBLIC = [
  ...["GET /healthz", "GET /readyz", "GET /assets/:name", "GET /brand/:file", ...fileNames(folders.public).map((name) => `GET /${name}`)],
  "GET /metrics",
  ...["GET /log/checkpoint", "GET /log/witnessed", "GET /log/key", "GET /log/start", "GET /log/tile/*"],
  ...["GET /log/:number/checkpoint", "GET /log/:number/key", "GET /log/:number/start", "GET /log/:number/tile/*"],
  ...["GET /manifest.webmanifest", "GET /offline", "GET /sitemap.xml", "GET /robots.txt"],
  ...["GET /", "GET /terms", "GET /privacy", "GET /auth", "GET /demo"],
  ...[
    "GET /about",
    "GET /trading-assets",
    "GET /faq",
    "GET /payment-policy",
    "GET /integrity",
    "GET /verify",
    "GET /domain-verification",
    "GET /clear-history",
    "GET /styleguide",
  ],
  ...["GET /contact", "POST /contact", "POST /api/contact"],
  ...[
    "GET /register",
    "POST /register",
    ...["/forgot-password", "/reset-password", "/verify-email", "/take-back-email", "/freeze", "/unsubscribe"].flatMap((path) => [
      `GET ${path}`,
      `POST ${path}`,
    ]),
    "GET /login",
    "POST /login",
    "POST /sign-out",
    "GET /api/login",
    "GET /api/auth/logout",
    "GET /deposit",
  ],
  ...["forgot", "reset", "verify-email", "take-back-email", "freeze", "passkey/options", "passkey/login"].map((name) => `POST /api/auth/${name}`),
  ...["POST /api/auth/register", "POST /api/auth/login", "POST /api/auth/logout"],
  // The visitors' own pages report to it.
  "POST /api/admin/visitors/track",
  // The back office shows anyone but staff a gate without data.
  ...[
    "GET /admin",
    "GET /enhanced-admin",
    "GET /admin-comprehensive",
    "GET /admin-portal",
    "GET /admin-registrations",
    "GET /admin-app",
    "GET /admin/users/:id",
    "GET /admin/days/:day",
    "GET /admin/search",
  ],
  ...["GET /api/market-data", "GET /api/market/live", "GET /api/market/candles", "GET /api/market/stream", "GET /api/account-types", "GET /api/promotions"],
];
/** Writes a thing of the caller's own under a name that the caller chooses: there is none of somebody else's to find. */
const NAMES_ITS_OWN = "PUT /api/chart-layouts/:name";
/** Make something for their caller without being told what: it is made, or under way already. */
const MAKE_ITS_OWN = ["POST /api/user/exports", "POST /my-data"];
/** Looks at its caller itself: who brings the token, or an administrator. */
const LOOKS_ITSELF = "GET /metrics";
/** Staff paths that are not for staff alone. */
const OPEN_STAFF_PATHS = ["/api/admin/visitors/track"];
/** What a page alone asks for. */
const OF_PAGES: Permission[] = ["system.read"];
/** These end the session that knocks, so each gets one of its own. */
const ENDS_SESSION = ["POST /api/auth/logout", "GET /api/auth/logout", "POST /sign-out"];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const routes = [...app.list];
const isStream = (path: string) => path.endsWith("/stream");

// The people --------------------------------------------------------------------------------------------------------

type Signed = Awaited<ReturnType<typeof app.trader>>;
let vera: Signed, tess: Signed, admin: Awaited<ReturnType<typeof app.admin>>;
let secrets: { people: string[]; everywhere: string[] };
const own = { position: "", session: "" };

beforeAll(async () => {
  [vera, tess, admin] = await Promise.all([app.trader({ firstName: "Vera", lastName: "Ventriloquist" }), app.trader(), app.admin()]);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await vera.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 123.45 });
  own.position = String(body.id);
  const { sql } = app;
  const [account] = await sql<{ number: string; id: string }[]>`select account_number as number, id from trading_accounts where user_id = ${vera.id}`;
  const sessions = await sql<{ sid: string; id: string; user: string }[]>`select sid, id, user_id as user from sessions`;
  const people = await sql<{ password: string; code: string; id: string }[]>`select password, referral_code as code, id from users`;
  own.session = sessions.find(({ user }) => user === vera.id)?.id ?? "";
  const code = people.find(({ id }) => id === vera.id)?.code ?? "";
  secrets = {
    people: [vera.email, admin.email, "Ventriloquist", account?.number ?? "", account?.id ?? "", code, "123.45"],
    everywhere: [...people.map(({ password }) => password), ...sessions.map(({ sid }) => sid), vera.cookie.slice(4), "$argon2", "Corr3ct-horse"],
  };
});

/** Words of our own works that no answer may show. */
const WORKS = [
  "PostgresError",
  "node_modules",
  "\n    at ",
  '"stack"',
  '"expected"',
  " from users",
  " from sessions",
  "insert into",
  'relation "',
  "HL001",
  "syntax error",
];

// Knocking ----------------------------------------------------------------------------------------------------------

/** The path with somebody else's objects for its parameters. */
const pathOf = ({ path }: Route) =>
  path
    .replace(/:name/, "nothing.js")
    .replace(/:userId/, vera.id)
    .replace(/:\w+/, path.includes("/sessions/") ? own.session : path.includes("/users/") ? vera.id : own.position);

type Answer = { status: number; headers: Headers; text: string; body: unknown };

/** A form with files that holds none. */
const PARTS = '--x\r\nContent-Disposition: form-data; name="nothing"\r\n\r\n1\r\n--x--\r\n';

async function knock(method: string, path: string, cookie = ""): Promise<Answer> {
  const isForm = method === "POST" && !path.startsWith("/api/");
  const isParts = method === "POST" && /^\/(api\/kyc\/documents|verification)$/.test(path);
  const body = method === "GET" || method === "HEAD" ? null : isParts ? PARTS : isForm ? "nothing=1" : "{}";
  const isFile = method === "POST" && /\/(proof|files|brand\/pictures)$/.test(path);
  const type = isParts ? "multipart/form-data; boundary=x" : isForm ? "application/x-www-form-urlencoded" : isFile ? "image/png" : "application/json";
  const headers = { ...(body ? { "Content-Type": type } : {}), ...(cookie ? { Cookie: cookie } : {}) };
  const response = await fetch(base + path, { method, headers, body, redirect: "manual" });
  const text = isStream(path) && response.ok && method === "GET" ? await firstPart(response) : await response.text();
  const json = (response.headers.get("content-type") ?? "").startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : null };
}

async function firstPart(response: Response): Promise<string> {
  for await (const chunk of response.body ?? []) return new TextDecoder().decode(chunk);
  return "";
}

function expectNothingShown({ text, headers }: Answer, secret: string[]) {
  const all = `${text}\n${JSON.stringify([...headers])}`;
  for (const words of secret) if (all.includes(words)) throw new Error(`an answer shows '${words}': ${all.slice(0, 500)}`);
  for (const words of WORKS) if (text.includes(words)) throw new Error(`an answer shows '${words}': ${text.slice(0, 500)}`);
}

const PAGE_HEADERS: Record<string, RegExp> = {
  "content-security-policy": /default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'; .*frame-ancestors 'none'/,
  "referrer-policy": /./,
  "cross-origin-opener-policy": /^same-origin$/,
  "permissions-policy": /./,
};

function expectSafeHeaders({ status, headers, text }: Answer) {
  const type = headers.get("content-type") ?? "";
  if (text !== "" && status !== 302) expect(headers.get("x-content-type-options")).toBe("nosniff");
  if (type.startsWith("text/html")) for (const [name, value] of Object.entries(PAGE_HEADERS)) expect(headers.get(name) ?? "").toMatch(value);
  expect(headers.get("content-security-policy") ?? "").not.toContain("unsafe");
  expect(headers.get("x-powered-by")).toBeNull();
}

const called = (list: Route[]) => list.map((route) => [nameOf(route), route] as const);

// The list itself -----------------------------------------------------------------------------------------------------

test("the public routes are those written down", () => {
  const open = routes.filter(({ lock }) => lock === "open").map(nameOf);
  expect(open.filter((name) => !PUBLIC.includes(name))).toEqual([]);
});

test("what is under /api/admin is for administrators, and nothing else is", () => {
  const staff = routes.filter(({ path }) => path.startsWith("/api/admin/") && !OPEN_STAFF_PATHS.includes(path));
  expect(staff.filter(({ lock }) => lock !== "admin")).toEqual([]);
  expect(routes.filter(({ lock, path }) => lock === "admin" && !path.startsWith("/api/admin/"))).toEqual([]);
});

test("each of staff's takes exactly one permission, and no other takes any", () => {
  const staff = routes.filter(({ lock }) => lock === "admin");
  expect(staff.filter(({ permission }) => permission === undefined).map(nameOf)).toEqual([]);
  expect(routes.filter(({ lock, permission }) => lock !== "admin" && permission !== undefined)).toEqual([]);
  const taken = new Set(staff.map(({ permission }) => permission));
  expect(allPermissions.filter((each) => !taken.has(each) && !OF_PAGES.includes(each))).toEqual([]);
});

test("are those of src/routes.txt, which scripts/routes.ts writes", async () => {
  expect(await Bun.file(join(import.meta.dir, "../../routes.txt")).text()).toBe(routesText(routes));
});

test("no route is listed twice", () => {
  expect(new Set(routes.map(nameOf)).size).toBe(routes.length);
});

// A stranger ----------------------------------------------------------------------------------------------------------

describe("a stranger", () => {
  test.each(called(routes))("%s", async (name, route) => {
    const answer = await knock(route.method, pathOf(route));
    expectNothingShown(answer, [...secrets.people, tess.email, ...secrets.everywhere]);
    expectSafeHeaders(answer);
    if (route.kind === "call") expect(answer.headers.get("cache-control")).toContain("no-store");
    if (name === LOOKS_ITSELF) expect(answer.status).toBe(403);
    else if (route.lock === "open") expect(answer.status).toBeOneOf([200, 204, 302, 303, 400, 404]);
    else if (route.kind === "page") {
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent(pathOf(route))}`);
    } else if (route.kind === "form") {
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("What you sent was not done, and is not kept.");
    } else {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: "Unauthorized", code: "unauthorized" });
    }
  });
});

// A trader ------------------------------------------------------------------------------------------------------------

describe("a trader, at somebody else's things", () => {
  test.each(called(routes))("%s", async (name, route) => {
    const person = ENDS_SESSION.includes(name) ? await app.trader() : tess;
    const answer = await knock(route.method, pathOf(route), person.cookie);
    expectNothingShown(answer, [...secrets.people, ...secrets.everywhere, person.cookie.slice(4)]);
    expectSafeHeaders(answer);
    if (route.kind === "call" || (route.kind === "page" && route.path !== "/api/login"))
      expect(answer.headers.get("cache-control") ?? "").toContain("no-store");
    if (route.lock === "admin") {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ message: "Administrators only.", code: "forbidden" });
    } else if (name === NAMES_ITS_OWN) expect(answer.status).toBe(400);
    else if (MAKE_ITS_OWN.includes(name)) expect(answer.status).toBeOneOf([201, 409]);
    else if (route.lock === "user" && route.path.includes(":")) {
      expect(answer.status).toBe(404);
      if (route.kind === "call") expect(answer.body).toEqual({ message: "Not found.", code: "not_found" });
    } else expect(answer.status).toBeOneOf(name === LOOKS_ITSELF ? [403] : [200, 204, 302, 303, 400, 404]);
  });

  test("hers are as they were", async () => {
    const { body } = await vera.get<{ id: string; amount: string }[]>("/api/trading/positions/open");
    expect(body).toMatchObject([{ id: own.position, amount: "123.45" }]);
    expect((await vera.get("/api/auth/user")).status).toBe(200);
  });
});

// An administrator ----------------------------------------------------------------------------------------------------

describe("an administrator", () => {
  test.each(called(routes.filter(({ lock }) => lock !== "open")))("%s", async (_, route) => {
    const answer = await knock(route.method, pathOf(route), admin.cookie);
    expectNothingShown(answer, [...secrets.everywhere, admin.cookie.slice(4)]);
    expectSafeHeaders(answer);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    expect(answer.status).toBeOneOf([200, 201, 204, 302, 303, 400, 404, 409]);
  });

  test("sees another's trading no more than anyone else", async () => {
    for (const path of [`/api/trading/positions/${own.position}/receipt`, `/positions/${own.position}/receipt`])
      expect((await knock("GET", path, admin.cookie)).status).toBe(404);
  });
});

// No route -------------------------------------------------------------------------------------------------------------

describe("where there is no route", () => {
  test.each(["/api/nothing", "/api/", "/api/admin/nothing", "/api/trading/positions/open/more"])("%s answers 404 in JSON", async (path) => {
    const answer = await knock("GET", path, tess.cookie);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ message: "Not found.", code: "not_found" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expectSafeHeaders(answer);
  });

  test.each(["/nothing", "/login/nothing", "/assets", "/.git/config", "//evil.example/", "/%2e%2e/etc/passwd"])("%s answers 404 as a page", async (path) => {
    const answer = await knock("GET", path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain("Page Not Found");
    expectSafeHeaders(answer);
  });
});

describe("a method that a route does not take", () => {
  const patternOf = (path: string) => new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+").replace("*", ".+")}$`);
  test.each([...new Set(routes.map(({ path }) => path))])("%s", async (path) => {
    const at = pathOf({ path } as Route);
    const taken = new Set(routes.filter((route) => patternOf(route.path).test(at)).map(({ method }) => method));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((each) => !taken.has(each))) {
      const answer = await knock(method, at, tess.cookie);
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.body).toEqual({ message: "This address does not take that method.", code: "method_not_allowed" });
      const allowed = (answer.headers.get("allow") ?? "").split(", ");
      expect(allowed.sort()).toEqual([...taken, ...(taken.has("GET") ? ["HEAD"] : [])].sort());
      expectSafeHeaders(answer);
    }
  });
});

describe("the head alone", () => {
  const gets = routes.filter((route) => route.method === "GET" && !ENDS_SESSION.includes(nameOf(route)));
  test.each(called(gets))("%s", async (_, route) => {
    const path = pathOf(route);
    const [head, whole] = await Promise.all([knock("HEAD", path, tess.cookie), knock("GET", path, tess.cookie)]);
    expect(head.status).toBe(whole.status);
    expect(head.text).toBe("");
    expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
  });
});
