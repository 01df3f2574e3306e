import { type SubmitEvent, type SyntheticEvent, useState } from "react";
import type { BodyFor } from "../../src/lib/endpoint";
import type { TicketStatus } from "../../src/support/schema";
import { type Agent, type CannedAnswer, decideTicket, sendTicketFile, type StaffThread, staffTicket } from "../../src/support/schema_inbox";
import { MOVES, SUPPORT_TAB } from "../../views/support/staff_words";
import { SupportTicketFacts } from "../../views/support/SupportTicketFacts";
import { Conversation } from "../../views/support/Conversation";
import { PriorityBadge, StatusBadge } from "../../views/support/TicketBadges";
import { Button } from "../../views/ui/Button";
import { Card } from "../../views/ui/Card";
import { SelectField, TextField } from "../../views/ui/Field";
import { Icon } from "../../views/ui/Icon";
import { Notice } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { AttachButton } from "../ui/AttachButton";
import { CannedPick } from "./CannedPick";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";
import { listBefore } from "./list_before";
import { useBeside, useWriting } from "../runtime/writing";
import { BesideNotice } from "../ui/BesideNotice";
import { useNow } from "../runtime/now";
import { toast } from "../wire/toasts";

export type TicketProps = { ticket: StaffThread; agents: Agent[]; canned: CannedAnswer[]; me: string; now: string };
type Decision = Omit<BodyFor<typeof decideTicket>, "version">;

/** One ticket, as staff work on it: the conversation, the answer, who has it, and what becomes of it. Decided on what is shown, never on what was. */
export function AdminSupportTicket({ ticket: first, agents, canned, me, now: at }: TicketProps) {
  const { value: ticket, lost } = useLive(first, () => call(staffTicket, undefined, { params: { id: first.id } }), ["ticket"]);
  const now = useNow(at);
  const { decide, busy, refusal } = useDecision(ticket);
  const { id, subject, status, priority, userId, assignedTo, firstName, lastName } = ticket;
  const isOwn = userId === me;
  return (
    <article aria-label={subject} className="flex flex-col gap-4">
      {lost ? <LostNotice /> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <a
            href={SUPPORT_TAB}
            onPointerDown={leadBack}
            onFocus={leadBack}
            className="inline-flex min-h-11 items-center gap-1.5 text-table text-accent no-underline hover:underline md:min-h-8"
          >
            <Icon name="arrowLeft" className="size-4" />
            All tickets
          </a>
          <h2 className="text-heading font-semibold [overflow-wrap:anywhere]">{subject}</h2>
        </div>
        <div className="flex gap-1.5 pt-2">
          <PriorityBadge priority={priority} />
          <StatusBadge status={status} />
        </div>
      </div>
      {isOwn ? <Notice>This is your own ticket. Another administrator decides it.</Notice> : null}
      {refusal ? <Notice kind="error">{refusal}</Notice> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Conversation ticket={ticket} thread={ticket} reader="staff" owner={`${firstName} ${lastName}`} />
          {isOwn ? null : (
            <Answer
              id={id}
              status={status}
              canned={canned}
              busy={busy}
              decide={decide}
              newest={ticket.replies.findLast(({ isFromStaff }) => isFromStaff) ?? null}
            />
          )}
        </div>
        <aside aria-label="About this ticket" className="flex flex-col gap-4">
          <Card label="Facts" className="p-4">
            <SupportTicketFacts ticket={ticket} now={now} />
          </Card>
          {isOwn ? null : (
            <Card label="Decide" className="js-only flex flex-col gap-4 p-4">
              <div className="flex flex-col gap-2">
                <SelectField
                  id="ticket-assignee"
                  label="Assigned to"
                  value={assignedTo ?? ""}
                  disabled={busy}
                  onChange={({ currentTarget: { value } }) => void decide({ assignedTo: value || null }, "Ticket assigned")}
                >
                  <option value="">Nobody</option>
                  {agents.map((agent) => (
                    <option key={agent.id} value={agent.id}>
                      {agent.id === me ? `Me (${agent.name})` : `${agent.name}, ${agent.email}`}
                    </option>
                  ))}
                </SelectField>
                {assignedTo === me ? null : (
                  <Button variant="secondary" size="small" disabled={busy} onClick={() => void decide({ assignedTo: me }, "Ticket assigned to you")}>
                    Assign to me
                  </Button>
                )}
              </div>
              <div className="flex flex-wrap gap-2">
                {MOVES[status].map(({ to, label }) => (
                  <Button key={to} variant="secondary" size="small" disabled={busy} onClick={() => void decide({ status: to }, "Ticket changed")}>
                    {label}
                  </Button>
                ))}
              </div>
            </Card>
          )}
        </aside>
      </div>
    </article>
  );
}

/** The link leads to the list as it was, whichever button or key follows it. */
const leadBack = ({ currentTarget }: SyntheticEvent<HTMLAnchorElement>) => {
  currentTarget.href = listBefore(SUPPORT_TAB);
};

/** Sends a decision on the version that is shown. Where somebody else was first, a toast says so and the ticket is fetched again. */
function useDecision(ticket: StaffThread) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const decide = async (decision: Decision, done: string): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      await sendOnce(decideTicket, { ...decision, version: ticket.version }, { id: ticket.id });
      toast({ title: done });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.message);
      return false;
    } finally {
      await refreshLists();
      setBusy(false);
    }
  };
  return { decide, busy, refusal };
}

type AnswerProps = {
  id: string;
  status: TicketStatus;
  canned: CannedAnswer[];
  busy: boolean;
  decide: (decision: Decision, done: string) => Promise<boolean>;
  /** Staff's newest answer. */
  newest: { id: string; author: string } | null;
};

function Answer({ id, status, canned, busy, decide, newest }: AnswerProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | undefined>();
  const draft = text.trim() !== "";
  const others = useWriting(id, draft);
  const beside = useBeside(draft, newest);
  const add = (words: string) => {
    setText((before) => (before ? `${before}\n${words}` : words));
    document.getElementById(`answer-${id}`)?.focus();
  };
  if (status === "closed") return <Notice>This ticket is closed. Reopen it to answer.</Notice>;
  const send = async (decision: Decision) => {
    const words = text.trim();
    setError(words ? undefined : "Please write an answer.");
    if (!words || beside.ask()) return;
    if (!(await decide({ ...decision, adminResponse: words }, "Answer sent"))) return;
    beside.sent();
    setText("");
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send({});
  };
  return (
    <form method="post" onSubmit={submit} className="js-only flex flex-col gap-3">
      <TextField
        id={`answer-${id}`}
        label="Answer"
        rows={6}
        maxLength={5000}
        value={text}
        error={error}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <p role="status" className="-mt-2 min-h-5 text-note text-warn">
        {others}
      </p>
      {beside.author ? <BesideNotice author={beside.author} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" disabled={busy}>
          Send answer
        </Button>
        {status === "resolved" ? null : (
          <Button variant="secondary" disabled={busy} onClick={() => void send({ status: "resolved" })}>
            Send and resolve
          </Button>
        )}
        <AttachButton ticket={id} path={sendTicketFile.path} seenBy="The trader can open it in the conversation." onSent={refreshLists} />
        <span className="md:ml-auto">
          <CannedPick id={`canned-${id}`} canned={canned} onPick={add} />
        </span>
      </div>
    </form>
  );
}

export default island("AdminSupportTicket", AdminSupportTicket);
