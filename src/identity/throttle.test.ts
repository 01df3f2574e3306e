import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestHouse, testHouse } from "../testing/house";

const PASSWORD = "Corr3ct-horse";
let house: TestHouse;
/** The house behind a trusted proxy on a port of its own, so that clients have networks. */
let site: string;
beforeAll(async () => {
  house = await testHouse({ TRUSTED_PROXY: "127.0.0.0/8" });
  house.app.listen({ port: 0, hostname: "127.0.0.1" });
  site = `http://127.0.0.1:${house.app.server?.port}`;
});
afterAll(async () => {
  await house.app.server?.stop(true);
  await house.end();
});
beforeEach(async () => {
  await house.sql`delete from throttles`;
});

let networks = 0;
/** An address of a network that nobody came from before. */
const network = () => `198.51.${100 + (++networks >> 8)}.${networks & 255}`;
const login = (email: string, password: string, from = network()) =>
  fetch(`${site}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ email, password }),
  });
const statusOf = async (answer: Promise<Response>) => (await answer).status;
/** The last failure was this very moment, however long a busy machine took over it. */
const justNow = () => house.sql`update throttles set failed_at = clock_timestamp()`.then(() => {});
const wrong = async (email: string, times: number) => {
  for (let i = 0; i < times; i++) expect(await statusOf(login(email, "Wr0ng-horse"))).toBe(401);
};

describe("an account", () => {
  test("gives five tries, then says how long to wait, even to the right password from elsewhere", async () => {
    const { email } = await house.trader();
    await wrong(email, 5);
    await justNow();
    const refused = await login(email, PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toEqual({ code: "too_many_requests", message: "Too many failed attempts. Please try again in 1 second." });
  });

  test("gives as many to an address that nobody has", async () => {
    await wrong("nobody@t.test", 5);
    await justNow();
    expect(await statusOf(login("nobody@t.test", PASSWORD))).toBe(429);
    expect(await statusOf(login("NOBODY@t.test", PASSWORD))).toBe(429);
  });

  test("is not outrun by guesses in parallel", async () => {
    const { email } = await house.trader();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(login(email, "Wr0ng-horse"))));
    expect(statuses.toSorted()).toEqual([...Array<number>(5).fill(401), ...Array<number>(15).fill(429)]);
  });

  test("waits twice as long after each further failure, and lets in again once the wait is over", async () => {
    const { email } = await house.trader();
    const key = `account:${email}`;
    const after = async (failures: number, seconds: number) => {
      await house.sql`
        insert into throttles (key, failures, failed_at) values (${key}, ${failures}, now() - make_interval(secs => ${seconds}))
        on conflict (key) do update set failures = excluded.failures, failed_at = excluded.failed_at
      `;
      const answer = await login(email, "Wr0ng-horse");
      return [answer.status, Number(answer.headers.get("retry-after"))];
    };
    expect(await after(8, 0)).toEqual([429, 8]);
    expect(await after(10, 0)).toEqual([429, 32]);
    expect(await after(999, 0)).toEqual([429, 900]);
    expect(await after(8, 9)).toEqual([401, 0]);
    // A day later nothing is left of it.
    await after(999, 86_400);
    expect(await statusOf(login(email, PASSWORD))).toBe(200);
  });

  test("is cleared by a success", async () => {
    const { email } = await house.trader();
    await wrong(email, 4);
    expect(await statusOf(login(email, PASSWORD))).toBe(200);
    await wrong(email, 4);
    expect(await statusOf(login(email, PASSWORD))).toBe(200);
  });

  test("counts the guesses at the doors for the signed-in too", async () => {
    const tess = await house.trader();
    for (let i = 0; i < 5; i++) expect((await tess.post("/api/auth/confirm", { password: "Wr0ng-horse" })).status).toBe(403);
    await justNow();
    expect((await tess.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(429);
    expect((await tess.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-password" })).status).toBe(429);
    expect(await statusOf(login(tess.email, PASSWORD))).toBe(429);
  });
});

describe("a network", () => {
  test("gives five tries over all accounts, and leaves other networks alone", async () => {
    const { email } = await house.trader();
    const from = network();
    for (let i = 0; i < 5; i++) expect(await statusOf(login(`guess${i}@t.test`, "Wr0ng-horse", from))).toBe(401);
    await justNow();
    expect(await statusOf(login(email, PASSWORD, from))).toBe(429);
    expect(await statusOf(login(email, PASSWORD, network()))).toBe(200);
  });

  test("is not left by naming another client to the proxy", async () => {
    const from = network();
    for (let i = 0; i < 5; i++) await login(`forged${i}@t.test`, "Wr0ng-horse", `${network()}, ${from}`);
    await justNow();
    expect(await statusOf(login("forged9@t.test", "Wr0ng-horse", `${network()}, ${from}`))).toBe(429);
  });
});

describe("behind a trusted proxy", () => {
  const cookieOf = async (headers: Record<string, string>) => {
    const { email } = await house.trader();
    const answer = await fetch(`${site}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": network(), ...headers },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    return answer.headers.getSetCookie()[0] ?? "";
  };

  test("that speaks https the cookie is held to this host and to https", async () => {
    const cookie = await cookieOf({ "x-forwarded-proto": "https" });
    expect(cookie).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/);
    const [pair = ""] = cookie.split(";");
    const ask = async (headers: Record<string, string>) => (await fetch(`${site}/api/auth/user`, { headers })).status;
    expect(await ask({ cookie: pair, "x-forwarded-proto": "https" })).toBe(200);
    // The plain name could be planted by another port or a subdomain: not taken behind https.
    expect(await ask({ cookie: pair.replace("__Host-", ""), "x-forwarded-proto": "https" })).toBe(401);
  });

  test("that speaks plain http it is the plain one", async () => {
    expect(await cookieOf({})).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  });
});

test("without a trusted proxy nobody's word for address or scheme is taken", async () => {
  const open = await testHouse();
  open.app.listen({ port: 0, hostname: "127.0.0.1" });
  try {
    const ask = (i: number) =>
      fetch(`http://127.0.0.1:${open.app.server?.port}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": network(), "x-forwarded-proto": "https" },
        body: JSON.stringify({ email: `plain${i}@t.test`, password: "Wr0ng-horse" }),
      });
    for (let i = 0; i < 5; i++) expect((await ask(i)).status).toBe(401);
    await open.sql`update throttles set failed_at = clock_timestamp()`;
    expect((await ask(9)).status).toBe(429);
    const keys = await open.sql<{ key: string }[]>`select key from throttles where key like 'network:%'`;
    expect(keys.map(({ key }) => key)).toEqual(["network:127.0.0.1"]);
  } finally {
    await open.app.server?.stop(true);
    await open.end();
  }
});
