import { mayDo } from "../lib/permissions";
import type { Messages } from "../platform/cluster/bus";
import type { Channel, AppContext } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { ticketOf } from "./queries";
import { messageOf } from "./queries_chat";
import type { ChatEvent } from "./schema_chat";

type Reader = { stream: Stream; userId: string; isStaff: boolean };

/** Support's part of the signed-in's one stream: each `ticket` of one's own when it is new or another, and `chat`; staff who see chats hear every one. */
export function supportChannel(app: AppContext): Channel {
  const { sql, bus, log } = app;
  const readers = new Set<Reader>();

  /** Loads once, encodes once, and writes to all who may hear it. */
  async function tell(event: string, whom: (reader: Reader) => boolean, load: () => Promise<object | null>) {
    if (![...readers].some(whom)) return;
    try {
      const found = await load();
      if (!found) return;
      const bytes = frame(event, found);
      for (const reader of readers) if (whom(reader)) reader.stream.write(bytes);
    } catch (error) {
      log.warn("a change could not be told", { event, error });
    }
  }
  bus.subscribe(
    "ticket",
    ({ userId, ticketId }) =>
      void tell(
        "ticket",
        (reader) => reader.userId === userId,
        () => ticketOf(sql, userId, ticketId),
      ),
  );
  bus.subscribe("chat", (said) => {
    const hears = ({ userId, isStaff }: Reader) =>
      said.about === "typing" ? (said.from === "trader" ? isStaff : userId === said.userId) : isStaff || userId === said.userId;
    void tell("chat", hears, () => eventOf(said));
  });

  async function eventOf({ userId, sessionId, about, from, number }: Messages["chat"]): Promise<ChatEvent | null> {
    const of = { userId, sessionId };
    if (about === "typing") return { ...of, about, from };
    if (about === "read") return { ...of, about, from, through: number };
    if (about === "ended") return { ...of, about };
    const message = await messageOf(sql, userId, number);
    return message && { ...of, about, message };
  }

  return (stream, me) => {
    const reader = { stream, userId: me.id, isStaff: mayDo(me, "support.read") };
    readers.add(reader);
    return () => void readers.delete(reader);
  };
}
