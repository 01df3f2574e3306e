import { type ReactNode, useState } from "react";
import { mayNot } from "../../src/lib/permissions";
import { may } from "../../src/lib/may";
import type { BodyFor } from "../../src/lib/endpoint";
import { type Agent, type CannedAnswer, decideTicket, sendTicketFile, type StaffThread, staffTicket } from "../../src/support/schema_inbox";
import { MOVES, ticketAddress } from "../../views/support/staff_words";
import { SupportTicketFacts } from "../../views/support/SupportTicketFacts";
import { Conversation } from "../../views/support/Conversation";
import { PriorityBadge, StatusBadge } from "../../views/support/TicketBadges";
import { SelectField } from "../../views/ui/Field";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { Notice } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { AttachButton } from "../ui/AttachButton";
import { BesideNotice } from "../ui/BesideNotice";
import { sendOnce } from "../wire/intent";
import { useClaim } from "../runtime/claims";
import { refreshLists, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { useBeside, useWriting } from "../runtime/writing";
import { toast } from "../wire/toasts";
import { Composer } from "./Composer";
import { useKeptWords } from "./kept_words";
import { PaneHead, type PaneProps } from "./PaneHead";
import { SaidArea } from "./SaidArea";

export type TicketProps = { ticket: StaffThread; agents: Agent[]; canned: CannedAnswer[]; me: string; now: string };
type Props = TicketProps & PaneProps;
/** `then`: at once when it is done, before the lists are asked for anew. */
type Decide = (decision: Decision, done: string, then?: () => void) => Promise<boolean>;
type Decision = Omit<BodyFor<typeof decideTicket>, "version">;

/** One ticket, as staff work on it: the conversation, the answer, who has it, and what becomes of it. Decided on what is shown, never on what was. */
export function TicketPane({ ticket: first, agents, canned, me, now: at, aside, ...pane }: Props) {
  const { value: ticket } = useLive(first, () => call(staffTicket, undefined, { params: { id: first.id } }), ["ticket"]);
  const now = useNow(at);
  const { decide, busy, refusal } = useDecision(ticket);
  const { id, subject, status, priority, userId, assignedTo, firstName, lastName, mergedInto, replies, files } = ticket;
  const isOwn = userId === me;
  const answers = may("support.answer");
  useClaim("ticket", isOwn || !answers ? null : id);
  const beside = (prefix: string) => (
    <>
      {aside}
      {isOwn || mergedInto || !answers ? null : (
        <section aria-label="Decide" className="js-only flex flex-col gap-3 border-t border-line pt-3">
          <SelectField
            id={`${prefix}-assignee`}
            label="Assigned to"
            value={assignedTo ?? ""}
            aria-disabled={busy || undefined}
            onChange={({ currentTarget: { value } }) => void decide({ assignedTo: value || null }, "Ticket assigned")}
          >
            <option value="">Nobody</option>
            {agents.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.id === me ? `Me (${agent.name})` : `${agent.name}, ${agent.email}`}
              </option>
            ))}
          </SelectField>
          <div className="flex flex-wrap gap-2">
            {assignedTo === me ? null : (
              <BusyButton variant="secondary" size="small" busy={busy} onClick={() => void decide({ assignedTo: me }, "Ticket assigned to you")}>
                Assign to me
              </BusyButton>
            )}
            {MOVES[status].map(({ to, label }) => (
              <BusyButton key={to} variant="secondary" size="small" busy={busy} onClick={() => void decide({ status: to }, "Ticket changed")}>
                {label}
              </BusyButton>
            ))}
          </div>
        </section>
      )}
      <section aria-label="Facts" className="border-t border-line pt-3">
        <SupportTicketFacts ticket={ticket} now={now} />
      </section>
    </>
  );
  return (
    <PaneHead
      {...pane}
      label={subject}
      title={subject}
      person={{ id: userId, name: `${firstName} ${lastName}` }}
      badges={
        <>
          <PriorityBadge priority={priority} />
          <StatusBadge status={status} />
        </>
      }
      beside={beside}
    >
      <SaidArea said={replies.length + files.length}>
        <div className="p-3 md:p-4">
          <Conversation ticket={ticket} thread={ticket} reader="staff" owner={`${firstName} ${lastName}`} />
        </div>
      </SaidArea>
      <div className="flex flex-col gap-2 border-t border-line bg-surface p-3">
        {refusal ? <Notice kind="error">{refusal}</Notice> : null}
        {isOwn ? (
          <Notice>This is your own ticket. Another administrator decides it.</Notice>
        ) : mergedInto ? (
          <Notice>
            This ticket was merged into{" "}
            <a href={ticketAddress(mergedInto.id)} className="text-accent underline underline-offset-2">
              {mergedInto.subject}
            </a>
            . It goes on there.
          </Notice>
        ) : !answers ? (
          <Notice>{mayNot("support.answer")}</Notice>
        ) : status === "closed" ? (
          <Notice>This ticket is closed. Reopen it to answer.</Notice>
        ) : (
          <Answer key={id} ticket={ticket} canned={canned} busy={busy} decide={decide} pane={pane} newest={replies.at(-1) ?? null} />
        )}
      </div>
    </PaneHead>
  );
}

/** Sends a decision on the version that is shown. Where somebody else was first, it says so and the ticket is fetched again. */
function useDecision(ticket: StaffThread) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ReactNode>(null);
  const decide: Decide = async (decision, done, then) => {
    if (busy) return false;
    setBusy(true);
    setRefusal(null);
    try {
      await sendOnce(decideTicket, { ...decision, version: ticket.version }, { id: ticket.id });
      toast({ title: done });
      then?.();
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
  ticket: StaffThread;
  canned: CannedAnswer[];
  busy: boolean;
  decide: Decide;
  pane: Omit<PaneProps, "aside">;
  /** What was said last, by whomever. */
  newest: { id: string; author: string } | null;
};

function Answer({ ticket, canned, busy, decide, pane: { begins, mayPress, onDone, onNext, onLeave }, newest }: AnswerProps) {
  const { id } = ticket;
  const [text, write] = useKeptWords(`answer ${id}`);
  const [error, setError] = useState<string | undefined>();
  const draft = text.trim() !== "";
  const others = useWriting(id, draft);
  const beside = useBeside(draft, newest);
  const send: Decide = async (decision, done, then) => {
    if (busy || !mayPress()) return false;
    const words = text.trim();
    setError(words ? undefined : "Please write an answer.");
    if (!words) document.getElementById(`answer-${id}`)?.focus();
    if (!words || beside.ask() || !(await decide({ ...decision, adminResponse: words }, done, then))) return false;
    beside.sent();
    write("");
    return true;
  };
  return (
    <>
      <p role="status" className={others ? "text-note text-warn" : "sr-only"}>
        {others}
      </p>
      {beside.author ? <BesideNotice author={beside.author} /> : null}
      <Composer
        id={`answer-${id}`}
        label="Answer"
        {...{ text, write, error, busy, canned, begins, onLeave }}
        about={ticket}
        send="Send answer"
        onSend={() => void send({}, "Answer sent")}
        onNext={onNext && (() => void send({ status: "resolved" }, "Answered and resolved", onDone).then((sent) => sent && onNext()))}
      >
        <AttachButton
          ticket={id}
          path={sendTicketFile.path}
          seenBy="The trader can open it in the conversation."
          onSent={refreshLists}
          className="px-3 text-table md:min-h-8"
        />
      </Composer>
    </>
  );
}
