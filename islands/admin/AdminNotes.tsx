import { may } from "../../src/lib/may";
import { listNotes, noteBody, type StaffNote, writeNote } from "../../src/admin/schema";
import { nextOf } from "../../src/lib/cursor";
import { clientAt } from "../../views/admin/client_tabs";
import { Pager } from "../../views/ui/staff/Filters";
import { instantText } from "../../views/ui/instant";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { TextField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { toast } from "../wire/toasts";

type Props = { userId: string; notes: StaffNote[]; query: { limit: string; cursor?: string } };

/** What administrators know of a person and tell each other. Notes are only added. */
export function AdminNotes({ userId, notes, query }: Props) {
  const { value } = useLive(notes, () => call(listNotes, undefined, { params: { id: userId }, query }), ["person"]);
  const { messages, unsaid, pending, form } = useForm({
    schema: noteBody,
    names: ["body"],
    after: "again",
    send: async (body, element) => {
      await sendOnce(writeNote, body, { id: userId });
      element.reset();
      toast({ title: "Note added" });
      await refreshLists();
    },
    onFailure: (error) => tellRefusal("Error", error),
  });
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {may("people.note") ? (
        <form {...form} className="js-only flex flex-col gap-2">
          <TextField
            id="note-body"
            name="body"
            label="New note"
            hint="Other administrators read it; the client never does. It can't be changed later."
            rows={3}
            maxLength={5000}
            error={messages.body}
          />
          <UnsaidNotice of={unsaid} />
          <div>
            <BusyButton type="submit" size="small" busy={pending}>
              {pending ? "Adding..." : "Add note"}
            </BusyButton>
          </div>
        </form>
      ) : null}
      {value.length === 0 ? (
        <EmptyState icon="book" title="No notes yet">
          What is written here stays, with its author and its time.
        </EmptyState>
      ) : (
        <ul aria-label="Notes, newest first" className="flex flex-col divide-y divide-line">
          {value.map(({ id, body, administrator, createdAt }) => (
            <li key={id} className="py-3">
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{body}</p>
              <p className="mt-1 text-note text-soft [overflow-wrap:anywhere]">
                {administrator}, <time dateTime={createdAt}>{instantText(createdAt).slice(0, 16)} UTC</time>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager at={clientAt(userId, "notes")} query={query} next={nextOf(value, query.limit)} />
    </div>
  );
}

export default island("AdminNotes", AdminNotes);
