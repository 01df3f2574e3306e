import { useState } from "react";
import * as v from "valibot";
import type { Snooze } from "../../src/admin/schema_queues";
import { nextOf } from "../../src/lib/cursor";
import { optionalText } from "../../src/lib/shapes";
import { type ContactStatus, decideContact, listContact, type StaffContactMessage } from "../../src/support/schema_contact";
import { Pager } from "../../views/ui/staff/Filters";
import { ContactLetter, ContactTable, isStrangers, LETTERS, letterTitle } from "../../views/support/ContactTable";
import { SUPPORT_TAB } from "../../views/support/staff_words";
import { TextField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { ActionDialog } from "../ui/ActionDialog";
import { AwayList } from "../ui/AwayList";
import { Fresh, Marked } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { QueueSide, useQueueSide } from "../ui/QueueSide";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { useQueue } from "../runtime/queue_keys";
import { useParted, useSnoozes } from "../runtime/snoozes";
import { idOf, useSteady } from "../runtime/steady";
import { toast } from "../wire/toasts";

export type ContactProps = {
  messages: StaffContactMessage[];
  query: { view: "contact"; q: string; status: "all" | ContactStatus; from: string; to: string; limit: string; cursor?: string };
  snoozes: Snooze[];
  me: string;
  now: string;
};
const noteForm = v.object({ note: optionalText(500) });

type Asked = { message: StaffContactMessage; to: ContactStatus; label: string };

/** What visitors wrote by the contact form: who waits longest first, the words beside the list; answered by mail, and marked so. */
export function AdminSupportContact({ messages, query: { view, ...query }, snoozes, me, now: at }: ContactProps) {
  const { value, lost } = useLive(messages, () => call(listContact, undefined, { query: { ...query, sort: "waiting" } }), ["contact"]);
  const { mine, others } = useSnoozes("letter", me, snoozes);
  const [here, away] = useParted(value, mine);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [list, area] = useSteady(here, idOf);
  const now = useNow(at);
  const ask = (message: StaffContactMessage, to: ContactStatus) => {
    const move = LETTERS[message.status].moves.find((each) => each.to === to);
    if (move) setAsked({ message, ...move });
  };
  const queue = useQueue({ rows: list.open, me, onAsk: (action, row) => ask(row, action === "approve" ? "answered" : "closed") });
  const side = useQueueSide<StaffContactMessage, never>({ list, current: queue.current, known: value });
  const viewers = viewersOf(list.open, new Map([...others, ...useViewers(me)]));
  useClaim("letter", asked?.message.id ?? null);
  return (
    <div ref={area} className={list.rows.length > 0 ? "xl:grid xl:grid-cols-[minmax(0,1fr)_21rem] xl:gap-6" : undefined}>
      <div className="min-w-0">
        <Fresh list={list} floats />
        {lost ? <LostNotice /> : null}
        {list.rows.length === 0 ? (
          <EmptyState icon="mail" title={query.q || query.status !== "all" || query.from || query.to ? "No messages match this" : "No messages yet"}>
            What visitors write by the contact form appears here.
          </EmptyState>
        ) : (
          <Marked list={list}>
            <ContactTable
              rows={list.rows}
              now={now}
              viewers={viewers}
              current={queue.current}
              onCurrent={queue.setCurrent}
              onEvidence={side.show}
              onAsk={(message, to) => ask(message, to)}
            />
          </Marked>
        )}
        <Pager at={SUPPORT_TAB} query={{ view, ...query, sort: "wait" }} next={nextOf(value, query.limit)} />
        <AwayList rows={away.map((row) => ({ id: row.id, name: letterTitle(row), until: mine.get(row.id) ?? "" }))} onBack={(id) => void side.back(id)} />
      </div>
      <QueueSide
        side={side}
        kind="letter"
        title={({ subject }) => subject || "No subject"}
        name={letterTitle}
        nobody={isStrangers}
        evidence={(message) => <ContactLetter message={message} viewers={viewers.get(message.id)} onSnooze={() => side.putAway(message)} />}
      />
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
            const done = LETTERS[asked.to].label;
            list.decide(asked.message.id, { text: done });
            toast({ title: "Message changed", description: `It is ${done.toLowerCase()} now.` });
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

export default island("AdminSupportContact", AdminSupportContact);
