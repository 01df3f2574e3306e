import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { closedOf, lose, openPosition, quoteTwice, sortedStatuses, win } from "../testing/corrections";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, faultOfEmptying, handHeld, nextMillisecond, until, waiting, withoutGuard } from "../testing/scenarios";
import type { Dispute, Manipulation, StaffPosition } from "./schema_corrections";

/** Who closes first, and that what an administrator did can't be hidden. */

let app: TestApp;
let ann: Person & { id: string; email: string };
let bob: Person & { id: string; email: string };
beforeAll(async () => {
  app = await testApp();
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(() => quoteTwice(app, "1.10000", "1.10002"));

describe("races", () => {
  test("twenty forced wins: one closes", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? win(ann, id, 10) : lose(bob, id, 10))));
    expect(sortedStatuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(["9990.00", "10010.00"]).toContain((await accountsOf(tess))[0]?.balance as string);
  });

  test("trader, stop and correction: one closing, with the winner's reason", async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 12; round++) {
      await quoteTwice(app, "1.10000", "1.10002");
      const tess = await app.trader();
      const { id } = await openPosition(tess, { stopLoss: 1.09 });
      const tick = () => app.quote("EUR/USD", "1.08900", "1.08902");
      // The tick comes long before, before, or long after.
      const first = round % 3 === 0 ? tick() : undefined;
      if (round === 0) await first;
      const answers = await Promise.all([
        win(ann, id, 10),
        tess.post(`/api/trading/positions/${id}/close`),
        lose(bob, id, 10),
        ...Array.from({ length: 4 }, () => tess.post(`/api/trading/positions/${id}/close`)),
      ]);
      await (first ?? tick());
      const [closed, ...more] = await closedOf(tess);
      expect(more).toEqual([]);
      const byAdmin = [answers[0], answers[2]].filter((each) => each?.status === 200).length;
      const byHand = answers.filter((each, i) => i !== 0 && i !== 2 && each?.status === 200).length;
      expect([byAdmin, byHand]).toEqual([closed?.closeReason === "admin" ? 1 : 0, closed?.closeReason === "trader" ? 1 : 0]);
      expect(closed?.correction !== null).toBe(closed?.closeReason === "admin");
      winners.add(closed?.closeReason ?? "");
    }
    expect(winners.size).toBeGreaterThan(1);
  });

  test("stop-out and correction: one closing, with the winner's reason", async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 6; round++) {
      await quoteTwice(app, "1.10000", "1.10002");
      const tess = await app.trader();
      await openPosition(tess, { amount: 800_000 });
      // 800,000 × 0.8 % is more than the margin level of 50 % allows on 10,000.
      const tick = () => app.quote("EUR/USD", "1.09100", "1.09102");
      const [{ id }] = (await tess.get<{ id: string }[]>("/api/trading/positions/open")).body as [{ id: string }];
      // The tick comes long before, long after, and in the middle.
      if (round === 0) await tick();
      const meanwhile = round > 1 ? tick() : undefined;
      const answers = await Promise.all([win(ann, id, 10), win(bob, id, 20)]);
      await (meanwhile ?? tick());
      const [closed, ...more] = await closedOf(tess);
      expect(more).toEqual([]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(closed?.closeReason === "admin" ? 1 : 0);
      expect(closed?.correction !== null).toBe(closed?.closeReason === "admin");
      winners.add(closed?.closeReason ?? "none");
    }
    expect([...winners].toSorted()).toEqual(["admin", "stop_out"]);
  });

  test.each(["trader", "admin"] as const)("who comes first closes it: %s", async (winner) => {
    const tess = await app.trader();
    const { id, accountId } = await openPosition(tess);
    const hand = await handHeld(app.db);
    const commands = { trader: () => tess.post(`/api/trading/positions/${id}/close`), admin: () => win(ann, id, 10) };
    const turns = winner === "trader" ? (["trader", "admin"] as const) : (["admin", "trader"] as const);
    try {
      await hand.sql`select from trading_accounts where id = ${accountId} for update`;
      const answers: Promise<Answer<unknown>>[] = [];
      for (const [place, who] of turns.entries()) {
        answers.push(commands[who]());
        await until(`the ${who} waits for the account`, async () => (await waiting(app.sql)) === place + 1);
      }
      await hand.commit();
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 409]);
      expect((await closedOf(tess))[0]?.closeReason).toBe(winner);
    } finally {
      await hand.end();
    }
  });

  test("without the look at the status, a second correction is a fault instead of a conflict", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    const putBack = await withoutGuard(
      app.sql,
      "correction_subject",
      "if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;",
    );
    try {
      const answers = await Promise.all(Array.from({ length: 4 }, () => win(ann, id, 10)));
      expect(sortedStatuses(answers)).toEqual([200, 500, 500, 500]);
    } finally {
      await putBack();
    }
  });
});

describe("disclosure", () => {
  test("comes at once, as a notice with both results and the reason", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    const heard: { title: string; message: string }[] = [];
    const changed: string[] = [];
    const stops = [
      app.context.bus.subscribe("notice", (notice) => void (notice.userId === tess.id && heard.push(notice))),
      app.context.bus.subscribe("position", ({ positionId }) => void changed.push(positionId)),
    ];
    await win(ann, id, 10, "Feed error");
    for (const stop of stops) stop();
    expect(heard).toMatchObject([
      {
        title: "Settled by administrator",
        message: "Site Administrator settled your BUY EUR/USD with +$10.00; the market result was −$0.30. Reason: Feed error",
      },
    ]);
    expect(changed).toContain(id);
  });

  test("can't be changed or removed, not even in the database", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    await win(ann, id, 10);
    const { sql } = app;
    for (const table of ["corrections", "correction_requests", "correction_decisions"]) {
      for (const command of [`update ${table} set created_at = now()`, `delete from ${table}`])
        await expect(sql.unsafe(command).then(() => "done")).rejects.toThrow(/append-only/);
      expect(await faultOfEmptying(sql, table)).toMatchObject({ message: expect.stringContaining("append-only") });
    }
    expect((await closedOf(tess))[0]?.correction?.reason).toBe("Wrong price at 10:02");
  });

  test("a correction is disputed once, by its trader, and staff see it", async () => {
    const [tess, other] = [await app.trader(), await app.trader()];
    const { id } = await openPosition(tess);
    const path = `/api/trading/positions/${id}/dispute`;
    expect((await tess.post(path, { message: "Why?" })).status).toBe(409);
    await lose(ann, id, 10);
    expect((await other.post(path, { message: "Why?" })).status).toBe(404);
    expect((await ann.post(path, { message: "Why?" })).status).toBe(404);
    expect((await tess.post(path, { message: "  " })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 5 }, () => tess.post(path, { message: "The price was right." })));
    expect(sortedStatuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect((await closedOf(tess))[0]?.correction?.disputedAt).toMatch(/^\d{4}-/);
    expect((await bob.get<Dispute[]>("/api/admin/disputes")).body[0]).toMatchObject({
      positionId: id,
      message: "The price was right.",
      email: tess.email,
      settledProfit: "-10.00",
    });
    const { body: manipulations } = await ann.get<Manipulation[]>("/api/admin/trades/manipulations");
    expect(manipulations.find(({ positionId }) => positionId === id)?.disputedAt).toMatch(/^\d{4}-/);
  });

  test("the page of history and the receipt show reason, both results and the way to dispute", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    await win(ann, id, 10, `<script>alert(1)</script>`);
    for (const page of ["/traders-portal?tab=history", `/positions/${id}/receipt`]) {
      const html = (await tess.get(page)).text;
      for (const words of ["Settled by administrator", "Site Administrator", "+$10.00", "−$0.30", "Dispute", "&lt;script&gt;alert(1)"])
        expect(html).toContain(words);
      expect(html).not.toContain("<script>alert(1)");
    }
  });
});

describe("the list of open positions", () => {
  test("shows whose each is and what it would bring, pages, and finds", async () => {
    const tess = await app.trader({ firstName: "Quentin", lastName: "Searchable" });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.unshift((await openPosition(tess)).id);
      await nextMillisecond(app.sql);
    }
    const seen: string[] = [];
    let cursor = "";
    for (let i = 0; i < 5; i++) {
      const page = await ann.get<StaffPosition[]>(`/api/admin/trading-positions?q=searchable&limit=2${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? "";
      if (!cursor) break;
    }
    expect(seen).toEqual(ids);
    const [row] = (await ann.get<StaffPosition[]>(`/api/admin/trading-positions?q=${tess.email}&limit=1`)).body;
    expect(row).toMatchObject({ firstName: "Quentin", isDemo: true, balance: "10000.00", profit: "-0.30", symbol: "EUR/USD", waits: false });
    expect((await ann.get<StaffPosition[]>("/api/admin/trading-positions?q=%25_nobody")).body).toEqual([]);
    expect((await ann.get("/api/admin/trading-positions?cursor=x")).status).toBe(400);
  });
});
