import type { ReactNode } from "react";
import { readFile, type Thread, type Ticket, type TicketFile, type TicketReply } from "../../src/support/schema";
import { instantText } from "../ui/instant";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { sizeText } from "./words";

type Said = { id: string; createdAt: string; own: boolean; author: string; from: string | null; body: ReactNode };
type Props = {
  ticket: Pick<Ticket, "id" | "message" | "createdAt">;
  thread: Thread;
  /** Whose screen it is: what that side wrote stands at the right. */
  reader: "owner" | "staff";
  /** The ticket's owner, as staff read it. */
  owner?: string;
};

/** Everything that was said and sent about a ticket, oldest first. Words are text, whatever they hold. */
export function Conversation({ ticket, thread, reader, owner = "You" }: Props) {
  const mine = (isFromStaff: boolean) => isFromStaff === (reader === "staff");
  const nameOf = (author: string, isFromStaff: boolean) => (mine(isFromStaff) && reader === "owner" ? "You" : isFromStaff ? `${author}, support` : author);
  const by = ({ author, isFromStaff, mergedFrom }: Pick<TicketReply, "author" | "isFromStaff" | "mergedFrom">) => ({
    own: mine(isFromStaff),
    author: nameOf(author, isFromStaff),
    from: mergedFrom,
  });
  const said: Said[] = [
    { id: ticket.id, createdAt: ticket.createdAt, own: mine(false), author: nameOf(owner, false), from: null, body: <Words text={ticket.message} /> },
    ...thread.replies.map((reply) => ({ id: reply.id, createdAt: reply.createdAt, ...by(reply), body: <Words text={reply.message} /> })),
    ...thread.files.map((file) => ({ id: file.id, createdAt: file.createdAt, ...by(file), body: <FileLink file={file} /> })),
  ];
  // Stable: what came in the same millisecond keeps its order.
  said.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  return (
    <ol aria-label="Conversation" className="flex flex-col gap-3">
      {said.map(({ id, createdAt, own, author, from, body }) => (
        <li key={id} className={classes("flex max-w-[44rem] flex-col gap-1", own ? "self-end items-end" : "self-start items-start")}>
          <p className="text-note text-soft">
            {author} · <time dateTime={createdAt}>{instantText(createdAt).slice(0, 16)} UTC</time>
            {from === null ? null : <span className="[overflow-wrap:anywhere]"> · in “{from}”</span>}
          </p>
          <div className={classes("rounded-card px-3.5 py-2.5", own ? "bg-accent-soft" : "bg-sunken")}>{body}</div>
        </li>
      ))}
      {thread.merged.map(({ id, subject, mergedAt }) => (
        <li key={`merged ${id}`} className="text-center text-note text-soft [overflow-wrap:anywhere]">
          “{subject}” was merged into this ticket · <time dateTime={mergedAt}>{instantText(mergedAt).slice(0, 16)} UTC</time>
        </li>
      ))}
    </ol>
  );
}

/** Text as a person wrote it, line ends kept. */
export const Words = ({ text }: { text: string }) => <p className="whitespace-pre-wrap text-product [overflow-wrap:anywhere]">{text}</p>;

const FileLink = ({ file }: { file: TicketFile }) => (
  <a
    href={readFile.path.replace(":id", file.ticketId).replace(":fileId", file.id)}
    className="inline-flex min-h-11 items-center gap-2 text-product text-accent underline underline-offset-2 [overflow-wrap:anywhere] md:min-h-8"
  >
    <Icon name="document" />
    <span>
      {file.name} <span className="text-note text-soft">({sizeText(file.size)})</span>
    </span>
  </a>
);
