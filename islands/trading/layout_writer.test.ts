import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { GAP_MS, LayoutWriter } from "./layout_writer";

const at = (interval: ChartLayout["interval"], name = "My chart") => ({ name, layout: { interval } as ChartLayout });
let now = 0;
beforeEach(() => {
  now = 0;
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());
const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** A writer before a server whose answers come when the test says. */
function open() {
  const sent: { interval: string; name: string; signal: AbortSignal; answer: (done: boolean) => Promise<void> }[] = [];
  const writer = new LayoutWriter(
    ({ name, layout }, signal) => {
      const answered = Promise.withResolvers<boolean>();
      sent.push({
        interval: layout.interval,
        name,
        signal,
        answer: async (done) => {
          answered.resolve(done);
          await settle();
        },
      });
      return answered.promise;
    },
    () => now,
  );
  const pass = (ms: number) => {
    now += ms;
    jest.advanceTimersByTime(ms);
  };
  return { writer, sent, pass, said: () => sent.map(({ interval }) => interval) };
}

test("a change is written at once, those that follow together, and none beside one that has no answer", async () => {
  const { writer, sent, pass, said } = open();
  writer.change(at("1m"));
  pass(0);
  expect(said()).toEqual(["1m"]);
  writer.change(at("5m"));
  writer.change(at("15m"));
  pass(10 * GAP_MS);
  expect(said()).toEqual(["1m"]);
  await sent[0]?.answer(true);
  pass(0);
  expect(said()).toEqual(["1m", "15m"]);
  await sent[1]?.answer(true);
  writer.change(at("1h"));
  pass(GAP_MS - 1);
  expect(said()).toEqual(["1m", "15m"]);
  pass(1);
  expect(said()).toEqual(["1m", "15m", "1h"]);
});

test("who leaves has written what was changed last, whether it waited, was under way or could not be written", async () => {
  const waiting = open();
  waiting.writer.change(at("1m"));
  waiting.writer.hurry();
  expect(waiting.said()).toEqual(["1m"]);

  const under = open();
  under.writer.change(at("1m"));
  under.pass(0);
  under.writer.change(at("5m"));
  under.writer.leave();
  expect(under.said()).toEqual(["1m", "5m"]);
  expect(under.sent.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  // Its answer is late, and says nothing any more.
  await under.sent[0]?.answer(false);
  under.writer.leave();
  expect(under.said()).toEqual(["1m", "5m", "5m"]);
  await under.sent[2]?.answer(true);
  under.writer.leave();
  expect(under.said()).toHaveLength(3);

  const failed = open();
  failed.writer.change(at("1m"));
  failed.pass(0);
  await failed.sent[0]?.answer(false);
  failed.pass(10 * GAP_MS);
  expect(failed.said()).toEqual(["1m"]);
  failed.writer.leave();
  expect(failed.said()).toEqual(["1m", "1m"]);
});

test("another name, or a deletion, waits for what is under way; what was not written before it is, or is forgotten", async () => {
  const { writer, sent, pass, said } = open();
  writer.change(at("1m"));
  pass(0);
  const deeds: string[] = [];
  const saved = writer.alone(async () => void deeds.push("saved"));
  await settle();
  expect(deeds).toEqual([]);
  await sent[0]?.answer(true);
  await saved;
  expect(deeds).toEqual(["saved"]);
  pass(GAP_MS);
  writer.change(at("5m"));
  await writer.alone(async () => void deeds.push("deleted"), true);
  pass(10 * GAP_MS);
  expect(deeds).toEqual(["saved", "deleted"]);
  expect(said()).toEqual(["1m"]);
});
