import { useEffect, useState } from "react";
import { myStream } from "../../src/portal/schema";
import type { ChatEvent } from "../../src/support/schema_chat";
import { listen } from "../wire/stream";

const TYPING_MS = 5000;

/** The chats in which the trader is writing just now. */
export function useTyping(): ReadonlySet<string> {
  const [typing, setTyping] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const quiet = (id: string) => setTyping((all) => new Set([...all].filter((each) => each !== id)));
    const stop = listen<{ chat: ChatEvent }>(myStream.path, {
      chat: (event) => {
        const { sessionId, about } = event;
        if (about === "message") quiet(sessionId);
        if (about !== "typing" || event.from !== "trader") return;
        clearTimeout(timers.get(sessionId));
        timers.set(
          sessionId,
          setTimeout(() => quiet(sessionId), TYPING_MS),
        );
        setTyping((all) => new Set([...all, sessionId]));
      },
    });
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      stop();
    };
  }, []);
  return typing;
}
