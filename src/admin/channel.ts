import type { Bus } from "../platform/cluster/bus";
import type { Channel } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { type StaffTopic, staffEvent, writingEvent } from "./schema";

/** Changes that come closer together, in ms, are told in one word: a busy market is no reason to draw a table ten times a second. */
const TOGETHER_MS = 250;

/** Staff's part of the stream: an event `desk` names their lists that changed, and holds none of their content; `writing`, which colleague writes an answer. */
export function staffChannel({ bus }: { bus: Bus }): Channel {
  const readers = new Map<Stream, string>();
  const changed = new Set<StaffTopic>();
  let timer: Timer | undefined;
  let toldAt = 0;

  const flush = () => {
    timer = undefined;
    toldAt = performance.now();
    const bytes = frame(staffEvent, { changed: [...changed] });
    changed.clear();
    for (const reader of readers.keys()) reader.write(bytes);
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
    for (const [reader, adminId] of readers) if (adminId !== said.adminId) reader.write(bytes);
  });

  return (stream, me) => {
    if (me.role !== "admin") return () => {};
    readers.set(stream, me.id);
    return () => void readers.delete(stream);
  };
}
