import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { availableParallelism } from "node:os";
import { verifyPassword } from "../platform/password";
import { type TestApp, testApp } from "../testing/app";
import { waitsLast, whileWaitsLast } from "../testing/scenarios";

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
/** The program behind a trusted proxy on a port of its own, so that clients have networks. */
let site: string;
beforeAll(async () => {
  app = await testApp({ TRUSTED_PROXY: "127.0.0.0/8" });
  app.router.listen({ port: 0, hostname: "127.0.0.1" });
  site = `http://127.0.0.1:${app.router.server?.port}`;
});
afterAll(async () => {
  await app.router.server?.stop(true);
  await app.end();
});
beforeEach(async () => {
  await app.sql`delete from throttles`;
});

let networks = 0;
/** An address of a network that nobody came from before. */
const network = () => `198.51.${100 + (++networks >> 8)}.${networks & 255}`;
const post = (path: string, body: object, from: string, cookie = "") =>
  fetch(site + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from, ...(cookie ? { cookie } : {}) },
    body: JSON.stringify(body),
  });
const login = (email: string, password: string, from = network(), cookie = "") => post("/api/auth/login", { email, password }, from, cookie);
/** What is stored of a cookie. */
const sha = (pair: string) => new Bun.CryptoHasher("sha256").update(pair.slice(pair.indexOf("=") + 1)).digest("hex");
const statusOf = async (answer: Promise<Response>) => (await answer).status;
/** What is answered in the same second. What a busy machine took longer over says nothing of a wait's length, and is asked again. */
const withinASecond = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    const began = performance.now();
    const answer = await ask();
    if (performance.now() - began < 1_000) return answer;
  }
};
const wrong = async (email: string, times: number, from = network(), cookie = "") => {
  for (let i = 0; i < times; i++) expect(await statusOf(login(email, "Wr0ng-horse", from, cookie))).toBe(401);
};
/** How many answers there were of each status. */
const tally = async (answers: Promise<number>[]) => {
  const statuses = await Promise.all(answers);
  return Object.fromEntries([...new Set(statuses)].toSorted().map((status) => [status, statuses.filter((each) => each === status).length]));
};
const failuresOf = async (key: string) => Number((await app.sql<{ n: string }[]>`select failures as n from throttles where key = ${key}`)[0]?.n ?? 0);

describe("a network", () => {
  test("gives five tries over all accounts, then says how long to wait, and leaves other networks alone", async () => {
    const { email } = await app.trader();
    const from = network();
    for (let i = 0; i < 5; i++) expect(await statusOf(login(`guess${i}@t.test`, "Wr0ng-horse", from))).toBe(401);
    const refused = await withinASecond(async () => {
      await app.sql`update throttles set failed_at = clock_timestamp()`;
      return login(email, PASSWORD, from);
    });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toEqual({ code: "too_many_requests", message: "Too many failed attempts. Please try again in 1 second." });
    expect(await statusOf(login(email, PASSWORD, network()))).toBe(200);
  });

  test("is not left by naming another client to the proxy", async () => {
    const from = network();
    for (let i = 0; i < 5; i++) await login(`forged${i}@t.test`, "Wr0ng-horse", `${network()}, ${from}`);
    await waitsLast(app.sql);
    expect(await statusOf(login("forged9@t.test", "Wr0ng-horse", `${network()}, ${from}`))).toBe(429);
  });

  test("does not outrun the count with guesses at many accounts in parallel", async () => {
    const from = network();
    const guesses = () => tally(Array.from({ length: 120 }, (_, n) => statusOf(login(`parallel${n}@t.test`, "Wr0ng-horse", from))));
    expect(await whileWaitsLast(app.sql, guesses)).toEqual({ 401: 5, 429: 115 });
  });

  test("whose people come together with the right passwords is not taken for a guesser", async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => app.trader()));
    const from = network();
    await wrong(people[0]?.email ?? "", 4, from);
    expect(await tally(people.map(({ email }) => statusOf(login(email, PASSWORD, from))))).toEqual({ 200: 12 });
    expect(Math.round(await failuresOf(`network:${from}`))).toBe(4);
  });

  test("waits twice as long after each further failure, and is let in again once the wait is over", async () => {
    const { email } = await app.trader();
    const from = network();
    const after = (failures: number, seconds: number, password = "Wr0ng-horse") =>
      withinASecond(async () => {
        await app.sql`
          insert into throttles (key, failures, failed_at) values (${`network:${from}`}, ${failures}, now() - make_interval(secs => ${seconds}))
          on conflict (key) do update set failures = excluded.failures, failed_at = excluded.failed_at
        `;
        const answer = await login(email, password, from);
        return [answer.status, Number(answer.headers.get("retry-after"))];
      });
    expect(await after(8, 0)).toEqual([429, 8]);
    expect(await after(10, 0)).toEqual([429, 32]);
    expect(await after(999, 0)).toEqual([429, 900]);
    expect(await after(8, 9)).toEqual([401, 0]);
    // A success does not begin the wait anew for the others.
    expect(await after(8, 9, PASSWORD)).toEqual([200, 0]);
    expect(await statusOf(login(email, PASSWORD, from))).toBe(200);
    // A day later nothing is left of it.
    expect(await after(999, 86_400, PASSWORD)).toEqual([200, 0]);
  });

  test("of which a try can't be judged, because too many people sign in, has not failed", async () => {
    const { email } = await app.trader();
    const from = network();
    const verify = Bun.password.verify;
    const { promise: released, resolve: release } = Promise.withResolvers<boolean>();
    Bun.password.verify = () => released;
    try {
      // What holds the lanes and fills the line behind them.
      const crowd = Array.from({ length: availableParallelism() + 200 }, () => verifyPassword("x", "broken"));
      expect(await tally(Array.from({ length: 8 }, () => statusOf(login(email, PASSWORD, from))))).toEqual({ 503: 8 });
      release(false);
      await Promise.all(crowd);
    } finally {
      release(false);
      Bun.password.verify = verify;
    }
    expect(await failuresOf(`network:${from}`)).toBe(0);
    expect(await statusOf(login(email, PASSWORD, from))).toBe(200);
  });
});

describe("an account", () => {
  /** A person's browser, which signed in once. */
  const browser = async () => {
    const { email, id } = await app.trader();
    const cookies = (await login(email, PASSWORD)).headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
    return { email, id, device: cookies.find((each) => each.startsWith("device=")) ?? "", session: cookies.find((each) => each.startsWith("sid=")) ?? "" };
  };
  /** As after so many failed tries from everywhere. */
  const besiege = (email: string, failures = 60) =>
    app.sql`
      insert into throttles (key, failures, failed_at) values (${`account:${email}`}, ${failures}, clock_timestamp())
      on conflict (key) do update set failures = excluded.failures, failed_at = excluded.failed_at
    `;

  test("stays open to its owner while a stranger guesses whenever the wait ends", async () => {
    const { email } = await app.trader();
    const from = network();
    await wrong(email, 5, from);
    await waitsLast(app.sql);
    expect(await statusOf(login(email, PASSWORD, from))).toBe(429);
    expect(await statusOf(login(email, PASSWORD))).toBe(200);
  });

  test("slows guesses that are spread over many networks, alike for an address that nobody has", async () => {
    const { email } = await app.trader();
    for (const address of [email, "nobody@t.test"]) {
      const guesses = () => tally(Array.from({ length: 60 }, () => statusOf(login(address, "Wr0ng-horse"))));
      expect(await whileWaitsLast(app.sql, guesses)).toEqual({ 401: 50, 429: 10 });
      await waitsLast(app.sql);
      expect(await statusOf(login(address.toUpperCase(), PASSWORD))).toBe(429);
    }
  });

  test("lets a browser in that signed in before, and counts its own tries alone", async () => {
    const { email, device } = await browser();
    await besiege(email);
    expect(await statusOf(login(email, PASSWORD))).toBe(429);
    const from = network();
    expect(await statusOf(login(email, PASSWORD, from, device))).toBe(200);
    const guesses = () => tally(Array.from({ length: 20 }, () => statusOf(login(email, "Wr0ng-horse", from, device))));
    expect(await whileWaitsLast(app.sql, guesses)).toEqual({ 401: 5, 429: 15 });
    await waitsLast(app.sql);
    expect(await statusOf(login(email, PASSWORD, from, device))).toBe(429);
    // Strangers of its network hear nothing of it.
    expect(await failuresOf(`network:${from}`)).toBe(0);
  });

  test("takes another's browser, or a cookie that nobody gave out, for a stranger's", async () => {
    const [{ email }, other] = await Promise.all([browser(), browser()]);
    await besiege(email);
    for (const cookie of [other.device, `device=${"A".repeat(43)}`]) expect(await statusOf(login(email, PASSWORD, network(), cookie))).toBe(429);
  });

  test("forgets a browser whose session is ended, and all others when the password changes", async () => {
    const [{ email, session, device }, { device: phone }] = await (async () => {
      const first = await browser();
      const cookies = (await login(first.email, PASSWORD)).headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
      return [first, { device: cookies[1] ?? "" }] as const;
    })();
    const call = (method: string, path: string, body?: object) =>
      fetch(site + path, { method, headers: { "content-type": "application/json", cookie: session }, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(await statusOf(call("POST", "/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-password" }))).toBe(204);
    await besiege(email);
    expect(await statusOf(login(email, "N3w-password", network(), phone))).toBe(429);
    const again = await login(email, "N3w-password", network(), device);
    expect(again.status).toBe(200);
    // The same browser once more: its cookie stays.
    expect(again.headers.getSetCookie()[1]).toStartWith(`${device};`);
    const list = (await (await call("GET", "/api/auth/sessions")).json()) as { id: string; current: boolean }[];
    for (const { id } of list.filter(({ current }) => !current)) expect(await statusOf(call("DELETE", `/api/auth/sessions/${id}`))).toBe(204);
    // A session of it is left, so it is trusted still; with the last one it is forgotten.
    expect(await statusOf(login(email, "N3w-password", network(), device))).toBe(200);
    await app.sql`delete from sessions where user_id = (select id from users where email = ${email}) and sid <> ${sha(session)}`;
    const [own] = (await (await call("GET", "/api/auth/sessions")).json()) as { id: string }[];
    expect(await statusOf(call("DELETE", `/api/auth/sessions/${own?.id}`))).toBe(204);
    expect(await statusOf(login(email, "N3w-password", network(), device))).toBe(429);
  });

  test("keeps of a browser a hash alone", async () => {
    const { device, id } = await browser();
    const [row] = await app.sql<{ hash: string; whole: string }[]>`
      select token_hash as hash, d::text as whole from devices d where user_id = ${id} and token_hash = ${sha(device)}
    `;
    expect(row?.hash).toBe(sha(device));
    expect(row?.whole).not.toContain(device.slice("device=".length));
  });

  test("has its routes for the signed-in untouched by strangers' guesses, and a count for each session", async () => {
    const tess = await app.trader();
    await besiege(tess.email);
    await app.sql`insert into throttles (key, failures, failed_at) values ('network:', 60, clock_timestamp())`;
    expect((await tess.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(204);
    const guesses = () => tally(Array.from({ length: 20 }, async () => (await tess.post("/api/auth/confirm", { password: "Wr0ng-horse" })).status));
    expect(await whileWaitsLast(app.sql, guesses)).toEqual({ 403: 5, 429: 15 });
    await waitsLast(app.sql);
    expect((await tess.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(429);
    expect((await tess.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-password" })).status).toBe(429);
    const other = await app.trader();
    await besiege(other.email);
    expect((await other.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "N3w-password" })).status).toBe(204);
  });
});

describe("registration", () => {
  const newcomer = (email: string) => ({ firstName: "Nia", lastName: "Newcomer", email, password: "Corr3ct-horse", referralCode: "" });

  test("is bounded for a network, in parallel too, and leaves sign-in and other networks alone", async () => {
    const strict = await testApp({ TRUSTED_PROXY: "127.0.0.0/8", REGISTRATIONS_PER_NETWORK: "6" }, app.db);
    strict.router.listen({ port: 0, hostname: "127.0.0.1" });
    try {
      const ask = async (n: number, from: string) => {
        const answer = await fetch(`http://127.0.0.1:${strict.router.server?.port}/api/auth/register`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": from },
          body: JSON.stringify(newcomer(`bounded${n}@t.test`)),
        });
        return answer.status;
      };
      const from = network();
      expect(await whileWaitsLast(app.sql, () => tally(Array.from({ length: 20 }, (_, n) => ask(n, from))))).toEqual({ 201: 6, 429: 14 });
      expect(await ask(30, network())).toBe(201);
      expect(await statusOf(login("bounded30@t.test", PASSWORD, from))).toBe(200);
    } finally {
      await strict.router.server?.stop(true);
      await strict.close();
    }
  });

  test("with a taken address hashes nothing, takes as long, and keeps nobody from signing in", async () => {
    const { email } = await app.trader();
    const { hash } = Bun.password;
    let hashed = 0;
    Bun.password.hash = (...given) => {
      hashed++;
      return hash(...given);
    };
    const pauses = spyOn(Bun, "sleep");
    try {
      const taken = Array.from({ length: 240 }, () => statusOf(post("/api/auth/register", newcomer(email), network())));
      expect(await statusOf(login(email, PASSWORD))).toBe(200);
      expect(await tally(taken)).toEqual({ 409: 240 });
      expect(hashed).toBe(0);
      expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(240);
    } finally {
      Bun.password.hash = hash;
      pauses.mockRestore();
    }
  });
});

describe("behind a trusted proxy", () => {
  const cookiesOf = async (headers: Record<string, string>) => {
    const { email } = await app.trader();
    const answer = await fetch(`${site}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": network(), ...headers },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    return answer.headers.getSetCookie();
  };

  test("that speaks https the cookie is held to this host and to https", async () => {
    const [cookie = "", device] = await cookiesOf({ "x-forwarded-proto": "https" });
    expect(device).toMatch(/^__Host-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000; Secure$/);
    expect(cookie).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/);
    const [pair = ""] = cookie.split(";");
    const ask = async (headers: Record<string, string>) => (await fetch(`${site}/api/auth/user`, { headers })).status;
    expect(await ask({ cookie: pair, "x-forwarded-proto": "https" })).toBe(200);
    // The plain name could be planted by another port or a subdomain: not taken behind https.
    expect(await ask({ cookie: pair.replace("__Host-", ""), "x-forwarded-proto": "https" })).toBe(401);
  });

  test("that speaks plain http it is the plain one", async () => {
    const [cookie, device] = await cookiesOf({});
    expect(device).toMatch(/^device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/);
    expect(cookie).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  });
});

test("without a trusted proxy nobody's word for address or scheme is taken", async () => {
  const open = await testApp();
  open.router.listen({ port: 0, hostname: "127.0.0.1" });
  try {
    const ask = (i: number) =>
      fetch(`http://127.0.0.1:${open.router.server?.port}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": network(), "x-forwarded-proto": "https" },
        body: JSON.stringify({ email: `plain${i}@t.test`, password: "Wr0ng-horse" }),
      });
    for (let i = 0; i < 5; i++) expect((await ask(i)).status).toBe(401);
    await waitsLast(open.sql);
    expect((await ask(9)).status).toBe(429);
    const keys = await open.sql<{ key: string }[]>`select key from throttles where key like 'network:%'`;
    expect(keys.map(({ key }) => key)).toEqual(["network:127.0.0.1"]);
  } finally {
    await open.router.server?.stop(true);
    await open.end();
  }
});
