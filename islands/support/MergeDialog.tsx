import { useState } from "react";
import * as v from "valibot";
import type { TicketStatus } from "../../src/support/schema";
import { mergeTickets, MOST_MERGED } from "../../src/support/schema_inbox";
import { STATUS } from "../../views/support/words";
import { dateText } from "../../views/ui/instant";
import { ActionDialog } from "../ui/ActionDialog";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";

type Choice = { id: string; subject: string; status: TicketStatus; createdAt: string };
type Props = { target: { id: string; subject: string }; choices: Choice[]; onClose: () => void };

const NONE = "Choose the tickets to merge.";
const SCHEMA = v.object({
  tickets: v.pipe(
    v.string(NONE),
    v.minLength(1, NONE),
    v.transform((ids) => ids.split(" ")),
  ),
});

/** Which tickets of the same person are to go on in this one. It can't be taken back. Rendered only while it is open. */
export function MergeDialog({ target, choices, onClose }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (id: string) => setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  return (
    <ActionDialog
      id="merge"
      title="Merge tickets"
      consequence={`What was said in them is shown in “${target.subject}”, they are closed for good, and the client is told. This can't be undone.`}
      schema={SCHEMA}
      names={["tickets"]}
      failed="Not merged"
      fields={(messages) => (
        <fieldset className="flex flex-col">
          <legend className="mb-1 text-note text-soft">Tickets of the same client</legend>
          <input type="hidden" name="tickets" value={chosen.join(" ")} />
          {choices.slice(0, MOST_MERGED).map(({ id, subject, status, createdAt }) => (
            <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3 border-b border-line py-1 last:border-b-0">
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} className="size-5 shrink-0 accent-accent" />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{subject}</span>
              <span className="whitespace-nowrap text-note text-soft">{`${STATUS[status].label}, ${dateText(createdAt)}`}</span>
            </label>
          ))}
          {messages.tickets ? <p className="mt-1 text-note text-loss">{messages.tickets}</p> : null}
        </fieldset>
      )}
      submit={chosen.length > 1 ? `Merge ${chosen.length} tickets` : "Merge"}
      busy="Merging..."
      send={async ({ tickets }) => {
        await sendOnce(mergeTickets, { tickets }, { id: target.id });
        toast({ title: tickets.length > 1 ? `${tickets.length} tickets merged` : "Ticket merged", description: target.subject });
      }}
      onClose={onClose}
    />
  );
}
