import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Outcome } from "../../src/lib/outcome";
import { fit } from "../../src/lib/fit";
import { moneyAmount } from "../../src/lib/shapes";
import { displayMoney } from "../../src/lib/money";
import { Button } from "../../views/ui/Button";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { classes } from "../../views/ui/classes";
import { Dialog } from "../../views/ui/Dialog";
import { Field, TextField } from "../../views/ui/Field";
import { Icon } from "../../views/ui/Icon";
import { Notice } from "../../views/ui/States";
import { useCalm } from "../runtime/steady";
import type { Job, Together } from "../runtime/together";

export type TogetherWords<R, T> = {
  /** "20 deposits, $10,000.00". */
  what: (rows: R[]) => string;
  /** What follows from it, in one sentence. */
  consequence: (rows: R[]) => ReactNode;
  /** Whose it is, and how much. */
  name: (row: R) => string;
  /** The id of whose it is. */
  person: (row: R) => string;
  amount?: (row: R) => string;
  /** What came of it: "credited $500.00". */
  done: (answer: T) => string;
  /** The sum that has to be typed first, as plain decimal text; null where it is small. */
  typed: (rows: R[]) => string | null;
  notes?: boolean;
};

type Props<R, T> = { together: Together<R, T>; words: TogetherWords<R, T>; onOver: () => void };

/** Asks once about all that were selected, names their count and sum, then says of each what came of it. Rendered only while it is open. */
export function TogetherDialog<R extends { id: string }, T>({ together, words, onOver }: Props<R, T>) {
  useCalm();
  const { job, go, hide } = together;
  const [messages, setMessages] = useState<Record<string, string>>({});
  const state = job?.state;
  useEffect(() => {
    const target = state === "asked" && document.querySelector("#together-total") ? "#together-total" : "#together [data-next]";
    document.querySelector<HTMLElement>(target)?.focus();
  }, [state]);
  if (!job) return null;
  const { rows, outcomes, fault } = job;
  const typed = words.typed(rows);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const total = fit(moneyAmount("Type the total"), String(data.get("total") ?? ""));
    if (state === "asked" && typed !== null && (!total.ok || total.value !== typed)) {
      setMessages({ total: total.ok ? "This is not the total." : (Object.values(total.fields)[0] ?? "Type the total") });
      document.querySelector<HTMLElement>("#together-total")?.focus();
      return;
    }
    void go(String(data.get("notes") ?? ""));
  };
  const over = state === "over";
  return (
    <Dialog
      id="together"
      wide
      title={over ? resultText(outcomes) : `Approve ${words.what(rows)}`}
      open
      onClose={over ? onOver : hide}
      footer={
        over ? (
          <Button data-next="" onClick={onOver}>
            Done
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={hide}>
              {state === "sending" ? "Hide" : "Cancel"}
            </Button>
            <BusyButton type="submit" form="together-form" data-next="" busy={state === "sending"}>
              {state === "sending" ? `${outcomes.length} of ${rows.length}...` : state === "stopped" ? "Go on" : `Approve ${words.what(rows)}`}
            </BusyButton>
          </>
        )
      }
    >
      <form id="together-form" onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {over ? null : <div className="text-base font-medium">{words.consequence(rows)}</div>}
        {state === "asked" || over ? null : (
          <progress aria-label="Decided" className="w-full accent-[var(--c-accent)]" max={rows.length} value={outcomes.length} />
        )}
        {fault ? <Notice kind="error">{fault}</Notice> : null}
        {!over && typed !== null ? (
          <Field
            id="together-total"
            name="total"
            label={`Type the total to approve: ${displayMoney(typed)}`}
            hint="Digits and a point alone, as 250.00."
            inputMode="decimal"
            autoComplete="off"
            readOnly={state !== "asked"}
            error={messages.total}
          />
        ) : null}
        {!over && words.notes ? (
          <TextField id="together-notes" name="notes" label="Notes (optional, for staff)" rows={2} maxLength={500} readOnly={state !== "asked"} />
        ) : null}
        <Rows job={job} words={words} />
      </form>
    </Dialog>
  );
}

/** "18 approved, 2 refused". */
export function resultText(outcomes: readonly Outcome<unknown>[]): string {
  const refused = outcomes.filter(({ done }) => done === null).length;
  return `${outcomes.length - refused} approved${refused > 0 ? `, ${refused} refused` : ""}`;
}

/** Each that was selected, and beside it, once there is one, what came of it: those that were refused first. */
function Rows<R extends { id: string }, T>({ job: { rows, outcomes, state }, words }: { job: Job<R, T>; words: TogetherWords<R, T> }) {
  const of = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const isRefused = ({ id }: R) => of.get(id)?.code != null;
  const shown = state === "over" ? [...rows.filter(isRefused), ...rows.filter((row) => !isRefused(row))] : rows;
  return (
    <ul aria-label="Selected requests" className="divide-y divide-line rounded-control border border-line">
      {shown.map((row) => {
        const outcome = of.get(row.id);
        return (
          <li key={row.id} data-outcome={outcome ? (outcome.code ?? "done") : undefined} className="flex items-baseline gap-3 px-3 py-1.5 text-table">
            <a
              href={`/admin/users/${words.person(row)}`}
              target="_blank"
              rel="noopener"
              className="min-w-0 flex-1 text-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {words.name(row)}
            </a>
            {words.amount ? <span className="whitespace-nowrap font-medium tabular-nums">{words.amount(row)}</span> : null}
            {outcome ? (
              <span className={classes("flex w-1/2 items-start gap-1 text-note", outcome.code ? "text-loss" : "text-soft")}>
                <Icon name={outcome.code ? "warning" : "check"} className="size-4 shrink-0" />
                {outcome.code === null ? words.done(outcome.done) : outcome.message}
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
