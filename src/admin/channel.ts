import type { Bus } from "../platform/bus";
import type { Channel } from "../platform/house";
import { frame, type Stream } from "../platform/stream";
import { type DeskTopic, deskEvent } from "./schema";

/** Changes that come closer together, in ms, are told in one word: a busy market is no reason to draw a table ten times a second. */
const TOGETHER_MS = 250;

/** Staff's part of the stream: an event `desk` says which of their lists changed, and never what is in them. */
export function staffChannel({ bus }: { bus: Bus }): Channel {
  const readers = new Set<Stream>();
  const changed = new Set<DeskTopic>();
  let timer: Timer | undefined;
  let toldAt = 0;

  const flush = () => {
    timer = undefined;
    toldAt = performance.now();
    const bytes = frame(deskEvent, { changed: [...changed] });
    changed.clear();
    for (const reader of readers) reader.write(bytes);
  };
  const tell = (topic: DeskTopic) => {
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

  return (stream, me) => {
    if (me.role !== "admin") return () => {};
    readers.add(stream);
    return () => void readers.delete(stream);
  };
}
