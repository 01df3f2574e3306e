import { afterAll, beforeAll, expect, test } from "bun:test";
import { keepOwnDevice } from "../notifications/commands_push";
import { type TestApp, testApp } from "../testing/app";
import { MAIL } from "../testing/letters";
import { openMailServer } from "../testing/mail_server";
import { deviceOf, openPushService } from "../testing/push_service";
import { until } from "../testing/scenarios";
import { currentLog } from "./queries";
import { parseVerifier, type Verifier } from "./rules_note";
import { knownBy, readCheckpoint } from "./rules_verify_log";

/** Who asked for it on the profile gets the log's checkpoint once a day, at a device or by letter, as they arrive there. */

const service = openPushService();
let server: Awaited<ReturnType<typeof openMailServer>>;
let app: TestApp;
beforeAll(async () => {
  server = await openMailServer();
  app = await testApp({ SMTP_URL: server.url, ...MAIL }, undefined, service.parts);
});
afterAll(async () => {
  await app.end();
  await Promise.all([server.close(), service.stop()]);
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
async function deviceFor({ id }: Trader) {
  const [session] = await app.sql<{ id: string }[]>`select id from sessions where user_id = ${id}`;
  const browser = await service.newBrowser();
  await keepOwnDevice(app.sql, { id, sessionId: session?.id ?? "" } as Parameters<typeof keepOwnDevice>[1], browser, "Test browser");
  return deviceOf(browser);
}
const keep = (who: Trader, way: string) => who.call("PUT", "/api/profile/checkpoint", { body: { way } });
/** The day on which checkpoints were brought last; moving it back is how a new one begins. */
const lastDay = async () =>
  (await app.sql<{ day: string }[]>`select (tried_at at time zone 'UTC')::date::text as day from proof_witnesses where name = '(letters)'`)[0]?.day ?? "";
const nextDay = () => app.sql`update proof_witnesses set tried_at = tried_at - interval '1 day' where name = '(letters)'`;
/** Brings what is due to where it goes. Resolves when all of it is there. */
async function minute() {
  await app.witnesses.wake();
  await app.teller.wake();
  await app.push.idle();
  await app.mailer.wake();
  await until("no letter waits", async () => {
    const [row] = await app.sql<
      { waits: boolean }[]
    >`select exists (select from letters where kind = 'checkpoint' and status not in ('sent', 'failed')) as waits`;
    return row?.waits === false;
  });
}

test("a push and a letter come once a day, and not twice; to who has left it off, or does no more, comes nothing", async () => {
  const [tess, tom, una] = [await app.trader(), await app.trader(), await app.trader()];
  const [phone] = [await deviceFor(tess), await deviceFor(tom), await deviceFor(una)];
  await app.logbook.wake();
  await app.witnesses.wake();
  for (const [who, way] of [
    [tess, "push"],
    [tom, "letter"],
  ] as const)
    expect((await keep(who, way)).body).toEqual({ way });
  const came = () => ({
    pushes: service.got.map(({ device }) => device),
    letters: server.got.filter(({ subject }) => subject.includes("public log")).map(({ to }) => to),
  });
  const [of, to] = [(times: number) => Array.from({ length: times }, () => phone), (times: number) => Array.from({ length: times }, () => tom.email)];
  let [days, day] = [0, await lastDay()];
  for (let round = 0; round < 2; round++) {
    await nextDay();
    // The second of these is in the same day, but where midnight comes between them.
    for (let again = 0; again < 2; again++) {
      await minute();
      const now = await lastDay();
      if (again === 0 || now !== day) days++;
      day = now;
      expect(came()).toEqual({ pushes: of(days), letters: to(days) });
    }
  }

  const log = (await currentLog(app.sql))!;
  expect(service.got[0]?.message).toMatchObject({ title: "The public log today", tag: "checkpoint", url: "/integrity" });
  expect(service.got.at(-1)?.message.body).toMatch(/^\d+ records, root [A-Za-z0-9+/]{43}=$/);
  // What the letter brings is the checkpoint itself, as the log signed it.
  const letter = server.to(tom.email).findLast(({ subject }) => subject.includes("public log"));
  const verifier = parseVerifier(log.key) as Verifier;
  const lines = (letter?.text ?? "").split("\n").filter(Boolean);
  const note = lines.slice(lines.indexOf(log.origin), lines.findLastIndex((line) => line.startsWith("— ")) + 1).join("\n");
  expect(readCheckpoint(note, knownBy([verifier]))).toMatchObject({ origin: log.origin });

  await keep(tess, "off");
  await keep(tom, "off");
  await nextDay();
  await minute();
  expect(came()).toEqual({ pushes: of(days), letters: to(days) });
});
