import { useMemo } from "react";
import { type ChatMessage, listChat, readChat, sendChat, typeChat } from "../../src/support/schema_chat";
import { Card } from "../../views/ui/Card";
import { call } from "../wire/api";
import type { Side } from "./chat";
import { ChatBox } from "./ChatBox";

type Props = { me: string; first: ChatMessage[] | null; /** From a post without scripts: why its message was not sent. */ fault?: string | null };

/** The trader's live chat with staff. `me` is the trader's id: an administrator's stream tells of everybody's chats. */
export function TraderChat({ me, first, fault }: Props) {
  const side = useMemo<Side>(
    () => ({
      concerns: ({ userId }) => userId === me,
      list: (query) => call(listChat, undefined, { query }),
      send: ({ message, clientId }) => call(sendChat, { message, clientId }),
      read: (through) => call(readChat, { through }),
      typing: () => call(typeChat),
      isOwn: ({ isFromAdmin }) => !isFromAdmin,
      other: "staff",
    }),
    [me],
  );
  return (
    <Card label="Live Chat" className="overflow-hidden">
      <ChatBox
        id="chat-message"
        side={side}
        first={first}
        other="Support"
        empty="Write to us here, and whoever is at the desk answers. If nobody is, the answer comes here later; for what is long or needs files, open a ticket."
        plain={{ action: "/support", fields: { deed: "chat" }, fault: fault ?? null }}
      />
    </Card>
  );
}
