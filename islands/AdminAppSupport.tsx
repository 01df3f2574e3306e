import { useState } from "react";
import { decideContact, listContact, type StaffContactMessage } from "../src/support/schema_contact";
import { decideTicket, staffTickets, type StaffTicket } from "../src/support/schema_desk";
import { ContactCard, TicketCard } from "../views/admin_app/SupportCards";
import { AppCards } from "../views/admin_app/AppCard";
import { TextField } from "../views/ui/Field";
import { EmptyState } from "../views/ui/States";
import { call } from "./lib/api";
import { attempt } from "./lib/deed";
import { DeedDialog } from "./lib/DeedDialog";
import { island } from "./lib/island";
import { useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { useNow } from "./lib/queue";
import { toast } from "./lib/toasts";
import * as v from "valibot";
import { text } from "../src/lib/shapes";

type Lists = { tickets: StaffTicket[]; messages: StaffContactMessage[] };
type Props = Lists & { now: string };

const LIMIT = "50";
const ANSWER = v.object({ adminResponse: text(5000, "Please write an answer.") });

async function look(): Promise<Lists> {
  const [tickets, messages] = await Promise.all([
    call(staffTickets, undefined, { query: { status: "active", sort: "waiting", limit: LIMIT } }),
    call(listContact, undefined, { query: { status: "new", limit: LIMIT } }),
  ]);
  return { tickets, messages };
}

/** Tickets that are not resolved, who waits longest first, and what visitors wrote that nobody has answered. */
export function AdminAppSupport({ now: opened, ...first }: Props) {
  const { value, lost, again } = useLive<Lists>(first, look, ["ticket", "contact"]);
  const [busy, setBusy] = useState<string | null>(null);
  const [answered, setAnswered] = useState<StaffTicket | null>(null);
  const now = useNow(opened);

  const carryOut = async (id: string, done: string, deed: () => Promise<unknown>) => {
    setBusy(id);
    if (await attempt("Error", deed)) toast({ title: done });
    await again();
    setBusy(null);
  };
  const close = () => {
    setAnswered(null);
    void again();
  };
  return (
    <>
      {lost ? <LostNotice /> : null}
      <h3 className="mt-1 font-semibold">Tickets</h3>
      {value.tickets.length === 0 ? (
        <EmptyState icon="lifebuoy" title="No open tickets">
          What traders ask appears here, who waits longest first.
        </EmptyState>
      ) : (
        <AppCards label="Open tickets">
          {value.tickets.map((ticket) => (
            <TicketCard
              key={ticket.id}
              ticket={ticket}
              now={now}
              busy={busy === ticket.id}
              onAnswer={() => setAnswered(ticket)}
              onResolve={() =>
                void carryOut(ticket.id, "Ticket resolved", () =>
                  call(decideTicket, { status: "resolved", version: ticket.version }, { params: { id: ticket.id } }),
                )
              }
            />
          ))}
        </AppCards>
      )}
      <h3 className="mt-4 font-semibold">Contact messages</h3>
      {value.messages.length === 0 ? (
        <EmptyState icon="mail" title="Nothing to answer">
          What visitors write by the contact form appears here.
        </EmptyState>
      ) : (
        <AppCards label="Contact messages">
          {value.messages.map((message) => (
            <ContactCard
              key={message.id}
              message={message}
              now={now}
              busy={busy === message.id}
              onDecide={(status) =>
                void carryOut(message.id, status === "answered" ? "Marked as answered" : "Message closed", () =>
                  call(decideContact, { status }, { params: { id: message.id } }),
                )
              }
            />
          ))}
        </AppCards>
      )}
      {answered ? (
        <DeedDialog
          key={answered.id}
          id="answer"
          title={`Answer ${answered.firstName} ${answered.lastName}`}
          consequence={<p className="whitespace-pre-line text-table text-soft">{answered.message}</p>}
          schema={ANSWER}
          names={["adminResponse"]}
          fields={(messages) => <TextField id="answer-text" name="adminResponse" label="Answer" rows={5} maxLength={5000} error={messages.adminResponse} />}
          submit="Send answer"
          busy="Sending..."
          send={async ({ adminResponse }) => {
            await call(decideTicket, { adminResponse, version: answered.version }, { params: { id: answered.id } });
            toast({ title: "Answer sent", description: answered.subject });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

export default island("AdminAppSupport", AdminAppSupport);
