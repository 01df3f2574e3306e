import { type ReactNode, useState } from "react";
import * as v from "valibot";
import { nextOf } from "../../src/lib/cursor";
import { optionalText } from "../../src/lib/shapes";
import { type ContactStatus, decideContact, listContact, type StaffContactMessage } from "../../src/support/schema_contact";
import { Pager } from "../../views/ui/staff/Filters";
import { SUPPORT_TAB } from "../../views/support/staff_words";
import { instantText } from "../../views/ui/instant";
import { Words } from "../../views/support/Conversation";
import { Badge, type Tone } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { Fresh, markOf } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { toast } from "../wire/toasts";

export type ContactProps = {
  messages: StaffContactMessage[];
  query: { view: "contact"; q: string; status: "all" | ContactStatus; from: string; to: string; limit: string; cursor?: string };
};

type State = { label: string; tone: Tone; moves: { to: ContactStatus; label: string }[] };
const STATES: Readonly<Record<ContactStatus, State>> = {
  new: {
    label: "New",
    tone: "warning",
    moves: [
      { to: "answered", label: "Mark answered" },
      { to: "closed", label: "Close" },
    ],
  },
  answered: {
    label: "Answered",
    tone: "gain",
    moves: [
      { to: "closed", label: "Close" },
      { to: "new", label: "Reopen" },
    ],
  },
  closed: { label: "Closed", tone: "secondary", moves: [{ to: "new", label: "Reopen" }] },
};
const noteForm = v.object({ note: optionalText(500) });

type Asked = { message: StaffContactMessage; to: ContactStatus; label: string };

/** What visitors wrote by the contact form: read here, answered by mail, and marked so. */
export function AdminSupportContact({ messages, query: { view, ...query } }: ContactProps) {
  const { value, lost } = useLive(messages, () => call(listContact, undefined, { query }), ["contact"]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [list, area] = useSteady(value, idOf);
  return (
    <div ref={area} className="max-w-[60rem]">
      <Fresh list={list} floats />
      {lost ? <LostNotice /> : null}
      {list.rows.length === 0 ? (
        <EmptyState icon="mail" title={query.q || query.status !== "all" ? "No messages match this" : "No messages yet"}>
          What visitors write by the contact form appears here.
        </EmptyState>
      ) : (
        <ul className="border-t border-line">
          {list.rows.map((message) => (
            <Letter
              key={message.id}
              message={message}
              mark={markOf(list, message.id, message.name, () => "No longer in this list")}
              onAsk={(to, label) => setAsked({ message, to, label })}
            />
          ))}
        </ul>
      )}
      <Pager at={SUPPORT_TAB} query={{ view, ...query }} next={nextOf(value, query.limit)} />
      {asked ? (
        <ActionDialog
          key={asked.message.id}
          id="contact-deed"
          title={`${asked.label}: ${asked.message.name}`}
          consequence="The note is for staff. The visitor is told nothing by this."
          schema={noteForm}
          names={["note"]}
          fields={({ note }) => (
            <TextField id="contact-note" name="note" label="Note (optional)" rows={3} maxLength={500} defaultValue={asked.message.note} error={note} />
          )}
          submit={asked.label}
          busy="Saving..."
          send={async ({ note }) => {
            await call(decideContact, { status: asked.to, note }, { params: { id: asked.message.id } });
            toast({ title: "Message changed", description: `It is ${STATES[asked.to].label.toLowerCase()} now.` });
          }}
          onClose={() => {
            setAsked(null);
            void refreshLists();
          }}
        />
      ) : null}
    </div>
  );
}

function Letter({ message, mark, onAsk }: { message: StaffContactMessage; mark: ReactNode; onAsk: (to: ContactStatus, label: string) => void }) {
  const { id, name, email, subject, message: words, status, createdAt, userId, note, handledBy, handledAt } = message;
  const { label, tone, moves } = STATES[status];
  return (
    <li data-row={id} className="flex flex-col gap-2 border-b border-line py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-product font-semibold [overflow-wrap:anywhere]">{subject || "No subject"}</h2>
          <p className="text-table text-soft [overflow-wrap:anywhere]">
            {name},{" "}
            <a href={`mailto:${encodeURIComponent(email)}`} className="text-accent underline underline-offset-2">
              {email}
            </a>
            {userId ? (
              <>
                {" · "}
                <a href={`/admin/users/${userId}`} className="text-accent underline underline-offset-2">
                  client
                </a>
              </>
            ) : null}
            {` · ${instantText(createdAt).slice(0, 16)} UTC`}
          </p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <Words text={words} />
      {handledBy && handledAt ? (
        <p className="text-note text-soft [overflow-wrap:anywhere]">
          {`${label} by ${handledBy}, ${instantText(handledAt).slice(0, 16)} UTC${note ? `: ${note}` : ""}`}
        </p>
      ) : null}
      <div className="js-only flex flex-wrap gap-2">
        {mark ??
          moves.map((move) => (
            <Button key={move.to} variant="secondary" size="small" aria-label={`${move.label}: ${name}`} onClick={() => onAsk(move.to, move.label)}>
              {move.label}
            </Button>
          ))}
      </div>
    </li>
  );
}

export default island("AdminSupportContact", AdminSupportContact);
