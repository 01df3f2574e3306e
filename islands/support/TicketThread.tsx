import { useState } from "react";
import { attachFile, closeTicket, replyForm, replyToTicket, type Thread, type Ticket } from "../../src/support/schema";
import { Conversation, Words } from "../../views/support/Conversation";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { PENDING_REVIEW } from "../../views/support/words";
import { Notice, Skeleton } from "../../views/ui/States";
import { AttachButton } from "../ui/AttachButton";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { attempt, tellRefusal } from "../wire/attempt";
import { useDraft } from "../wire/draft";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";

type Props = {
  ticket: Ticket;
  /** Null until it was fetched. */
  thread: Thread | null;
  /** From a post without scripts: what was refused of a reply, by field. */
  errors?: Record<string, string> | undefined;
  /** The address of a ticket. */
  addressOf: (id: string) => string;
  /** Something was done: the ticket and its conversation are another. */
  onChanged: () => void;
};

/** An open ticket for its owner: the conversation, a reply, files, and the end of it. */
export function TicketThread({ ticket, thread, errors, addressOf, onChanged }: Props) {
  return (
    <>
      {ticket.positionId ? (
        <p className="text-product">
          About a settled position:{" "}
          <a href={`/positions/${ticket.positionId}/receipt`} className="text-accent underline underline-offset-2">
            its receipt
          </a>
        </p>
      ) : null}
      {thread ? <Conversation ticket={ticket} thread={thread} reader="owner" /> : <Known ticket={ticket} />}
      {ticket.status === "open" && !ticket.adminResponse && !thread?.files.some(({ isFromStaff }) => isFromStaff) ? <Notice>{PENDING_REVIEW}</Notice> : null}
      {ticket.mergedInto ? (
        <Notice>
          Our support team merged this ticket into{" "}
          <a href={addressOf(ticket.mergedInto.id)} className="text-accent underline underline-offset-2">
            {ticket.mergedInto.subject}
          </a>
          . It goes on there.
        </Notice>
      ) : (
        <Reply ticket={ticket} errors={errors} onChanged={onChanged} />
      )}
    </>
  );
}

/** What the list knows already, while the rest is on its way. */
const Known = ({ ticket: { message, adminResponse } }: { ticket: Ticket }) => (
  <>
    <Words text={message} />
    {adminResponse ? (
      <div className="self-start rounded-card bg-sunken px-3.5 py-2.5">
        <Words text={adminResponse} />
      </div>
    ) : null}
    <Skeleton className="js-only h-16 w-full" />
  </>
);

function Reply({ ticket: { id, status }, errors = {}, onChanged }: Pick<Props, "ticket" | "errors" | "onChanged">) {
  const ended = status === "resolved" || status === "closed";
  const { messages, unsaid, pending, form } = useForm({
    schema: replyForm,
    names: ["message"],
    errors,
    after: "again",
    send: async (asked, element) => {
      await sendOnce(replyToTicket, asked, { id });
      element.reset();
      onChanged();
    },
    onFailure: (error) => tellRefusal("Failed to send reply", error),
  });
  const place = useDraft(`reply ${id}`);
  const [closing, setClosing] = useState(false);
  const close = async () => {
    setClosing(true);
    const closed = await attempt("Failed to close ticket", () => sendOnce(closeTicket, undefined, { id }));
    setClosing(false);
    if (closed) toast({ title: "Ticket closed", description: "Write a reply whenever you need to open it again." });
    onChanged();
  };
  return (
    <form {...form} ref={place} action="/support" className="flex flex-col gap-3">
      <input type="hidden" name="ticket" value={id} />
      <TextField
        id={`reply-${id}`}
        name="message"
        label="Your reply"
        rows={3}
        maxLength={5000}
        error={messages.message}
        hint={ended ? "A reply opens this ticket again." : undefined}
      />
      <UnsaidNotice of={unsaid} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" disabled={pending}>
          {pending ? "Sending..." : "Send reply"}
        </Button>
        {status === "closed" ? null : (
          <>
            <AttachButton ticket={id} path={attachFile.path} seenBy="Only you and our support team can see it." onSent={onChanged} />
            <Button
              type="submit"
              name="deed"
              value="close"
              variant="quiet"
              className="ml-auto"
              disabled={closing}
              onClick={(event) => {
                event.preventDefault();
                void close();
              }}
            >
              {closing ? "Closing..." : "Close ticket"}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
