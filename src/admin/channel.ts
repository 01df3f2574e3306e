import type { Bus } from "../platform/cluster/bus";
import { mayDo, type Permission } from "../lib/permissions";
import type { Channel, Me } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { type StaffTopic, staffEvent, writingEvent } from "./schema";

/** Changes that come closer together, in ms, are told in one word: a busy market is no reason to draw a table ten times a second. */
const TOGETHER_MS = 250;

/** Who hears that one of the lists changed. */
const NEEDS: Record<StaffTopic, Permission> = {
  deposit: "deposits.read",
  withdrawal: "withdrawals.read",
  person: "people.read",
  correction: "trades.read",
  trade: "trades.read",
  claim: "panel.read",
  snooze: "panel.read",
  setting: "panel.read",
  account: "people.read",
  ticket: "support.read",
  chat: "support.read",
  contact: "support.read",
  day: "overview.read",
  role: "roles.read",
  signature: "signatures.read",
};

/** Staff's part of the stream: an event `desk` names those of the reader's lists that changed, and holds none of their content; `writing`, which colleague writes an answer. */
export function staffChannel({ bus }: { bus: Bus }): Channel {
  const readers = new Map<Stream, Me>();
  const changed = new Set<StaffTopic>();
  let timer: Timer | undefined;
  let toldAt = 0;

  const flush = () => {
    timer = undefined;
    toldAt = performance.now();
    const topics = [...changed];
    changed.clear();
    for (const [reader, me] of readers) {
      const own = topics.filter((topic) => mayDo(me, NEEDS[topic]));
      if (own.length > 0) reader.write(frame(staffEvent, { changed: own }));
    }
  };
  const tell = (topic: StaffTopic) => {
    if (readers.size === 0) return;
    changed.add(topic);
    timer ??= setTimeout(flush, Math.max(0, toldAt + TOGETHER_MS - performance.now()));
  };
  bus.subscribe("request", ({ kind }) => tell(kind));
  bus.subscribe("staff", ({ about }) => tell(about));
  bus.subscribe("position", () => tell("trade"));
  bus.subscribe("account", () => tell("account"));
  bus.subscribe("ticket", () => tell("ticket"));
  bus.subscribe("chat", ({ about }) => about !== "typing" && tell("chat"));
  bus.subscribe("writing", (said) => {
    const bytes = frame(writingEvent, said);
    for (const [reader, me] of readers) if (me.id !== said.adminId && mayDo(me, "support.read")) reader.write(bytes);
  });

  return (stream, me) => {
    if (!mayDo(me, "panel.read")) return () => {};
    readers.set(stream, me);
    return () => void readers.delete(stream);
  };
}
