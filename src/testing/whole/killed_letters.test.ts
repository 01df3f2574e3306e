import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { pricedDatabase } from "../database";
import { ADMIN } from "../browser";
import { openMailServer } from "../mail_server";
import { buildProgram, launch } from "../program";
import { until } from "../scenarios";

/** kill -9 while letters go out: none is lost, and none comes more than twice, under one Message-ID. `LETTER_KILLS=100` makes it long. */

const KILLS = Number(process.env.LETTER_KILLS ?? 6);
const LETTERS = Math.max(60, KILLS * 5);
/** So slow a server that each kill finds letters half sent, sent and not noted, and not begun. */
const SLOW_MS = 60;

test(`${LETTERS} letters and ${KILLS} kills`, async () => {
  buildProgram();
  const db = await pricedDatabase();
  const home = mkdtempSync(join(tmpdir(), "halyard-letters-"));
  const slowly = (done: () => void) => void setTimeout(done, SLOW_MS * Math.random());
  const server = await openMailServer({ onMailFrom: (_, __, done) => slowly(done), onRcptTo: (_, __, done) => slowly(done) });
  const env = {
    ...{ ...db.env, PORT: "0", HOST: "127.0.0.1", ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    ...{ SMTP_URL: server.url, MAIL_FROM: "post@halyard.example", PUBLIC_URL: "http://halyard.example" },
  };
  const start = async () => {
    const program = launch(home, env);
    await program.logged("listening");
    return program;
  };
  try {
    const first = await start();
    first.signal("SIGKILL");
    await first.ended;
    await db.sql`select letter_post(u.id, 'password_changed') from users u, generate_series(1, ${LETTERS})`;
    let untold = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const program = await start();
      await Bun.sleep(100 + 300 * Math.random());
      program.signal("SIGKILL");
      await program.ended;
      untold += Number((await db.sql<{ count: number }[]>`select count(*) as count from letters where status = 'waiting' and attempts > 0`)[0]?.count ?? 0);
    }
    // Some were being sent when their program died; else nothing was tried here.
    expect(untold).toBeGreaterThan(0);
    // Their time is over.
    await db.sql`update letters set due_at = clock_timestamp() where status = 'waiting'`;
    const last = await start();
    await until("all are sent", async () => (await db.sql`select from letters where status <> 'sent'`).length === 0);
    last.signal("SIGTERM");
    await last.ended;
    const letters = await db.sql<{ id: string }[]>`select id from letters`;
    const times = new Map<string, number>();
    for (const { headers } of server.got) times.set(headers["message-id"] ?? "", (times.get(headers["message-id"] ?? "") ?? 0) + 1);
    expect([...times.keys()].sort()).toEqual(letters.map(({ id }) => `<${id}@halyard.example>`).sort());
    expect([...times.values()].filter((count) => count > 2)).toEqual([]);
    expect(await db.sql`select from letters where handed > 2`).toHaveLength(0);
  } finally {
    await server.close();
    await db.drop();
    rmSync(home, { recursive: true, force: true });
  }
});
