import { useCallback, useEffect, useRef, useState } from "react";
import { myStream } from "../../src/portal/schema";
import type { ChatEvent, ChatMessage } from "../../src/support/schema_chat";
import type { Waiting } from "../../views/support/ChatLog";
import { ApiError, newKey } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { listen } from "../wire/stream";

/** One side of a chat: how it is read and written, and which events are about it. */
export type Side = {
  concerns: (event: ChatEvent) => boolean;
  /** Newest first without `after`, oldest first with it. */
  list: (query: { after?: string; cursor?: string }) => Promise<ChatMessage[]>;
  send: (said: { message: string; clientId: string }) => Promise<ChatMessage>;
  read: (through: number) => Promise<unknown>;
  typing: () => Promise<unknown>;
  isOwn: (message: ChatMessage) => boolean;
  /** Whether the reader wrote it; without it whatever is of this side. */
  isMine?: (message: ChatMessage) => boolean;
  /** Who sits at the other end. */
  other: "trader" | "staff";
};

const PAGE = 100;
/** The other side types as long as it was said within so many ms; said again before that. */
const TYPING_MS = 5000;
const SAY_AGAIN_MS = 3000;
/** How often is looked while the stream is away. */
const FALLBACK_MS = 5000;

const merged = (known: readonly ChatMessage[], news: readonly ChatMessage[]): ChatMessage[] => {
  const all = new Map([...known, ...news].map((message) => [message.number, message]));
  return [...all.values()].sort((a, b) => a.number - b.number);
};

/** Actions that nobody waits for: what fails is made good by the next one. */
async function lightly(action: () => Promise<unknown>) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * A chat, followed by the stream: each message once, in order, whatever was lost on the way. After a loss of the stream, every five seconds
 * while it is away, and where a number is missing, what came since the last known one is asked for. A message goes under an id of this browser's, so that a second
 * try can't say it twice. `first` is what the page knew, in any order; null where it did not look.
 */
export function useChat(side: Side, first: ChatMessage[] | null) {
  const [messages, setMessages] = useState(() => (first ? merged([], first) : null));
  const [waiting, setWaiting] = useState<Waiting[]>([]);
  const [typing, setTyping] = useState(false);
  const [ended, setEnded] = useState(false);
  const [lost, setLost] = useState(false);
  const [more, setMore] = useState(first !== null && first.length >= PAGE);
  const latest = useRef({ side, messages });
  const toldTyping = useRef(0);
  useEffect(() => {
    latest.current = { side, messages };
  });

  const catchUp = useCallback(async () => {
    const { side: now, messages: known } = latest.current;
    try {
      for (let last = known?.at(-1)?.number; ;) {
        const news = await now.list(last === undefined ? {} : { after: String(last) });
        setMessages((all) => merged(all ?? [], news));
        if (last === undefined) setMore(news.length >= PAGE);
        if (last === undefined || news.length < PAGE) break;
        last = news.at(-1)?.number;
      }
      setLost(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setLost(true);
    }
  }, []);

  const earlier = async () => {
    const oldest = messages?.[0]?.number;
    if (oldest === undefined) return;
    await lightly(async () => {
      const page = await side.list({ cursor: String(oldest) });
      setMessages((all) => merged(page, all ?? []));
      setMore(page.length >= PAGE);
    });
  };

  useEffect(() => {
    let stops: ReturnType<typeof setTimeout> | undefined;
    let looking: ReturnType<typeof setInterval> | undefined;
    const look = () => document.visibilityState !== "hidden" && void catchUp();
    const quiet = () => setTyping(false);
    const stop = listen<{ chat: ChatEvent }>(
      myStream.path,
      {
        chat: (event) => {
          const { side: now, messages: known } = latest.current;
          if (!now.concerns(event)) return;
          if (event.about === "typing" && event.from === now.other) {
            clearTimeout(stops);
            stops = setTimeout(quiet, TYPING_MS);
            setTyping(true);
          } else if (event.about === "message") {
            const last = known?.at(-1)?.number ?? 0;
            setMessages((all) => merged(all ?? [], [event.message]));
            setEnded(false);
            if (!now.isOwn(event.message)) quiet();
            if (event.message.number > last + 1) void catchUp();
          } else if (event.about === "read" && event.from === now.other) {
            setMessages((all) => all && all.map((each) => (now.isOwn(each) && each.number <= event.through ? { ...each, isRead: true } : each)));
          } else if (event.about === "ended") setEnded(true);
        },
      },
      (state) => {
        clearInterval(looking);
        if (state === "lost") looking = setInterval(look, FALLBACK_MS);
        // Also what came between the page's drawing and now.
        if (state === "open") void catchUp();
      },
    );
    // A line that nobody gets, on one device too many, keeps nobody from reading.
    if (latest.current.messages === null) void catchUp();
    const online = () => void catchUp();
    addEventListener("online", online);
    return () => {
      clearTimeout(stops);
      clearInterval(looking);
      removeEventListener("online", online);
      stop();
    };
  }, [catchUp]);

  const through = messages?.findLast((message) => !side.isOwn(message) && !message.isRead)?.number;
  useEffect(() => {
    if (through === undefined) return;
    const read = () => {
      if (document.visibilityState === "hidden") return;
      const { isOwn, read: mark } = latest.current.side;
      void lightly(async () => {
        await mark(through);
        setMessages((all) => all && all.map((each) => (!isOwn(each) && each.number <= through ? { ...each, isRead: true } : each)));
      });
    };
    read();
    // What could not be sent is sent as soon as the line is back.
    document.addEventListener("visibilitychange", read);
    addEventListener("online", read);
    return () => {
      document.removeEventListener("visibilitychange", read);
      removeEventListener("online", read);
    };
  }, [through]);

  const deliver = async (said: Waiting) => {
    setWaiting((all) => [...all.filter(({ clientId }) => clientId !== said.clientId), { ...said, failed: false }]);
    try {
      const sent = await side.send(said);
      setMessages((all) => merged(all ?? [], [sent]));
      setWaiting((all) => all.filter(({ clientId }) => clientId !== said.clientId));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setWaiting((all) => all.map((each) => (each.clientId === said.clientId ? { ...each, failed: true } : each)));
      tellRefusal("Message not sent", error);
    }
  };
  return {
    messages,
    /** What the stream already brought is not waiting, even where its own answer was lost. */
    waiting: waiting.filter(({ clientId }) => !messages?.some((message) => message.clientId === clientId)),
    typing,
    ended,
    lost,
    more,
    earlier,
    again: deliver,
    catchUp,
    send: (message: string) => {
      toldTyping.current = 0;
      return deliver({ clientId: newKey(), message, failed: false });
    },
    type: () => {
      const now = Date.now();
      if (now - toldTyping.current < SAY_AGAIN_MS) return;
      toldTyping.current = now;
      void lightly(side.typing);
    },
  };
}
