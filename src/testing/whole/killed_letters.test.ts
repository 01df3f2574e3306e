import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { pricedDatabase } from "../database";
import { ADMIN } from "../browser";
import { openMailServer } from "../mail_server";
import { createAdmin } from "../../identity/commands";
import { buildProgram, launch, type Running } from "../program";
import { until } from "../scenarios";

/**
 * kill -9 a hundred times while 500 letters go out: each comes, none more than twice, and under one Message-ID. It is the mailer alone that is
 * killed, in a process of its own, which starts in a tenth of the time, and while the one before it dies; the whole program sends the rest.
 * `KILL_WHOLE=1` kills that instead.
 */

const [KILLS, LETTERS] = [100, 500];
const isWhole = process.env.KILL_WHOLE === "1";
/** So many mailers are started ahead, and wait to be told to lead. */
const SPARES = 3;
/** Where in a letter's way its sender dies, as the mail server sees it. */
const MOMENTS = ["from", "to", "text", "whole", "taken"] as const;
type Moment = (typeof MOMENTS)[number];

/** So long, in ms, may nothing happen while letters are on their way. */
const STILL_MS = 20_000;
/** Comes back when the count is nought, or has stood still. */
async function stands(count: () => Promise<number>): Promise<void> {
  let [last, since] = [await count(), performance.now()];
  while (last > 0 && performance.now() - since < STILL_MS) {
    await Bun.sleep(20);
    const now = await count();
    if (now !== last) [last, since] = [now, performance.now()];
  }
}

test(`${LETTERS} letters and ${KILLS} kills`, async () => {
  buildProgram();
  const db = await pricedDatabase();
  const home = mkdtempSync(join(tmpdir(), "halyard-letters-"));
  const times = new Map<string, number>();
  /** Counts down to the moment at which the sender is killed. */
  let next: { at: Moment; left: number; kill: () => void } | null = null;
  const pass = (at: Moment) => {
    if (next?.at !== at || next.left-- > 0) return;
    next.kill();
    next = null;
  };
  const server = await openMailServer({
    onMailFrom: (_, __, done) => (pass("from"), done()),
    onRcptTo: (_, __, done) => (pass("to"), done()),
    onData(stream, _, done) {
      const chunks: Buffer[] = [];
      pass("text");
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        const id = /^Message-ID: <(.+)@halyard\.example>/im.exec(Buffer.concat(chunks).toString())?.[1] ?? "none";
        times.set(id, (times.get(id) ?? 0) + 1);
        pass("whole");
        done(null, "OK: taken");
        pass("taken");
      });
    },
  });
  const env = {
    ...{ ...db.env, PORT: "0", HOST: "127.0.0.1", ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    ...{ SMTP_URL: server.url, MAIL_FROM: "post@halyard.example", PUBLIC_URL: "http://halyard.example" },
  };
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "../../..", "src/testing/mailer_process.ts")],
    target: "bun",
    outdir: home,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    bytecode: true,
    format: "cjs",
  });
  const mailer = outputs.find(({ kind }) => kind === "entry-point")?.path ?? "";
  const spares: Running[] = [];
  const start = async (): Promise<Running> => {
    if (isWhole) return launch(home, env);
    while (spares.length <= SPARES) spares.push(launch(home, env, [mailer], process.execPath));
    const program = spares.shift() as Running;
    await program.logged("ready");
    return program;
  };
  const waiting = async () => (await db.sql`select from letters where status = 'waiting'`).length;
  /** As if the time were over for which nobody else takes what an earlier sender had. */
  const makeDue = () => db.sql`update letters set due_at = clock_timestamp() where status = 'waiting' and due_at > clock_timestamp()`;
  try {
    await createAdmin(db.sql, ADMIN);
    await db.sql`select letter_post(u.id, 'password_changed') from users u, generate_series(1, ${LETTERS})`;
    const killed: Record<string, number> = {};
    for (let n = 0; n < KILLS; n++) {
      const at = MOMENTS[n % MOMENTS.length] as Moment;
      const program = await start();
      let dead = false;
      void program.ended.then(() => (dead = true));
      next = { at, left: n % 2, kill: () => program.signal("SIGKILL") };
      if (!isWhole) program.signal("SIGUSR1");
      let looks = 0;
      await until(`it is killed (${n})`, async () => dead || (++looks % 50 === 0 && !(await waiting())));
      program.signal("SIGKILL");
      await program.ended;
      if (dead) killed[at] = (killed[at] ?? 0) + 1;
      await makeDue();
    }
    expect(killed).toEqual(Object.fromEntries(MOMENTS.map((at) => [at, KILLS / MOMENTS.length])));
    next = null;
    // A letter that has died often waits for hours once a stalled machine lets its line run out of time: it goes at the next start, too.
    while (await waiting()) {
      const last = launch(home, env);
      await stands(waiting);
      last.signal("SIGTERM");
      await last.ended;
      await makeDue();
    }
    const letters = await db.sql<{ id: string; status: string; handed: number; answer: string }[]>`select id, status, handed, answer from letters`;
    expect([...times.keys()].sort()).toEqual(letters.map(({ id }) => id).sort());
    expect([...times.values()].filter((count) => count > 2)).toEqual([]);
    // Some came twice, since their sender died before it could note the first time: else nothing was tried here.
    expect([...times.values()].filter((count) => count === 2).length).toBeGreaterThan(0);
    for (const { id, status, handed, answer } of letters)
      expect([id, status, handed <= 2, status === "sent" || answer.includes("may have come twice")]).toEqual([id, status, true, true]);
  } finally {
    for (const spare of spares) spare.signal("SIGKILL");
    await server.close();
    await db.drop();
    rmSync(home, { recursive: true, force: true });
  }
});
