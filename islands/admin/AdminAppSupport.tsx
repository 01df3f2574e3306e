import { useState } from "react";
import { decideContact, listContact, type StaffContactMessage } from "../../src/support/schema_contact";
import { decideTicket, staffTickets, type StaffTicket } from "../../src/support/schema_inbox";
import { AppRows } from "../../views/admin/AppRow";
import { ContactRow, TicketRow } from "../../views/admin/SupportCards";
import { ContactWords, isStrangers } from "../../views/support/ContactTable";
import { TextField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { ActionDialog } from "../ui/ActionDialog";
import { EvidenceDialog } from "../ui/EvidencePanel";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, usePress, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { useNow } from "../runtime/now";
import { toast } from "../wire/toasts";
import * as v from "valibot";
import { text } from "../../src/lib/shapes";

type Lists = { tickets: StaffTicket[]; messages: StaffContactMessage[] };
type Props = Lists & { now: string };

const LIMIT = "50";
const ANSWER = v.object({ adminResponse: text(5000, "Please write an answer.") });

async function load(): Promise<Lists> {
  const [tickets, messages] = await Promise.all([
    call(staffTickets, undefined, { query: { status: "active", sort: "waiting", limit: LIMIT } }),
    call(listContact, undefined, { query: { status: "new", limit: LIMIT } }),
  ]);
  return { tickets, messages };
}

/** Unresolved tickets, the longest wait first, and visitors' messages without an answer. */
export function AdminAppSupport({ now: opened, ...first }: Props) {
  const { value, lost, again } = useLive<Lists>(first, load, ["ticket", "contact"]);
  const [busy, setBusy] = useState<string | null>(null);
  const [shown, setShown] = useState<StaffContactMessage | null>(null);
  const [answered, setAnswered] = useState<StaffTicket | null>(null);
  const now = useNow(opened);
  const mayPress = usePress();
  const [tickets, ticketArea] = useSteady(value.tickets, idOf);
  const [letters, letterArea] = useSteady(value.messages, idOf);

  const carryOut = async (list: { decide: (id: string, what: { text: string }) => void }, id: string, done: string, action: () => Promise<unknown>) => {
    if (!mayPress()) return;
    setBusy(id);
    if (await attempt("Error", action)) {
      list.decide(id, { text: done });
      toast({ title: done });
    }
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
      <div ref={ticketArea}>
        <h3 className="mt-1 flex min-h-11 items-center gap-2 font-semibold">
          Tickets <Fresh list={tickets} />
        </h3>
        {tickets.rows.length === 0 ? (
          <EmptyState icon="lifebuoy" title="No open tickets">
            What traders ask appears here, who waits longest first.
          </EmptyState>
        ) : (
          <Marked list={tickets}>
            <AppRows label="Open tickets">
              {tickets.rows.map((ticket) => (
                <TicketRow
                  key={ticket.id}
                  ticket={ticket}
                  now={now}
                  busy={busy === ticket.id}
                  isOpen={isOpen(tickets, ticket.id)}
                  onAnswer={() => setAnswered(ticket)}
                  onResolve={() =>
                    void carryOut(tickets, ticket.id, "Ticket resolved", () =>
                      sendOnce(decideTicket, { status: "resolved", version: ticket.version }, { id: ticket.id }),
                    )
                  }
                />
              ))}
            </AppRows>
          </Marked>
        )}
      </div>
      <div ref={letterArea}>
        <h3 className="mt-4 flex min-h-11 items-center gap-2 font-semibold">
          Contact messages <Fresh list={letters} />
        </h3>
        {letters.rows.length === 0 ? (
          <EmptyState icon="mail" title="Nothing to answer">
            What visitors write by the contact form appears here.
          </EmptyState>
        ) : (
          <Marked list={letters}>
            <AppRows label="Contact messages">
              {letters.rows.map((message) => (
                <ContactRow
                  key={message.id}
                  message={message}
                  now={now}
                  busy={busy === message.id}
                  isOpen={isOpen(letters, message.id)}
                  onRead={() => setShown(message)}
                  onDecide={(status) =>
                    void carryOut(letters, message.id, status === "answered" ? "Marked as answered" : "Message closed", () =>
                      call(decideContact, { status }, { params: { id: message.id } }),
                    )
                  }
                />
              ))}
            </AppRows>
          </Marked>
        )}
      </div>
      {shown ? (
        <EvidenceDialog
          key={shown.id}
          kind="letter"
          id={shown.id}
          title={shown.subject || "No subject"}
          nobody={isStrangers(shown)}
          onClose={() => setShown(null)}
        >
          <ContactWords message={shown} />
        </EvidenceDialog>
      ) : null}
      {answered ? (
        <ActionDialog
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
            await sendOnce(decideTicket, { adminResponse, version: answered.version }, { id: answered.id });
            toast({ title: "Answer sent", description: answered.subject });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** Whether it may still be decided about. */
const isOpen = ({ gone, decided }: { gone: ReadonlySet<string>; decided: ReadonlyMap<string, unknown> }, id: string) => !gone.has(id) && !decided.has(id);

export default island("AdminAppSupport", AdminAppSupport);
