import { useEffect, useRef } from "react";
import { categories, createTicket, priorities, type Ticket, ticketBody } from "../../src/support/schema";
import { CATEGORY, CREATED, FILL_ALL, NOT_CREATED, PRIORITY } from "../../views/support/words";
import { Button } from "../../views/ui/Button";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { tellRefusal } from "../wire/attempt";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { keep, kept } from "../wire/kept";
import { toast } from "../wire/toasts";

/** What a post without scripts wrote, with its messages. */
export type Written = { values: Record<string, string>; errors: Record<string, string>; message: string | null };

const NAMES = ["subject", "category", "priority", "message"] as const;
const DRAFT = "ticket";

/** Puts back what was written before a reload and not sent. */
function restore(form: HTMLFormElement) {
  const draft = (kept(DRAFT) ?? {}) as Record<string, unknown>;
  for (const name of NAMES) {
    const field = form.elements.namedItem(name);
    if (field && "value" in field && typeof draft[name] === "string") field.value = draft[name];
  }
}

/** The form of a new ticket. Works as a plain form post without scripts. */
export function TicketForm({ values, errors, message, onCreated }: Written & { onCreated: (ticket: Ticket) => void }) {
  const drawn = useRef<HTMLFormElement>(null);
  const isFresh = Object.keys(values).length === 0;
  useEffect(() => {
    if (isFresh && drawn.current) restore(drawn.current);
  }, [isFresh]);
  const { messages, unsaid, pending, form } = useForm({
    schema: ticketBody,
    names: NAMES,
    errors,
    after: "again",
    send: async (asked, element) => {
      const ticket = await sendOnce(createTicket, asked);
      keep(DRAFT, null);
      toast(CREATED);
      element.reset();
      onCreated(ticket);
    },
    onInvalid: (fields) => {
      const [text = ""] = Object.values(fields);
      toast(text === FILL_ALL.description ? { ...FILL_ALL, variant: "destructive" } : { title: NOT_CREATED, description: text, variant: "destructive" });
    },
    onFailure: (error) => tellRefusal(NOT_CREATED, error),
  });
  return (
    <form
      {...form}
      ref={drawn}
      onChange={(event) => {
        form.onChange(event);
        keep(DRAFT, Object.fromEntries(new FormData(event.currentTarget)));
      }}
      action="/support"
      className="flex flex-col gap-5"
    >
      {message ? <Notice kind="error">{message}</Notice> : null}
      <Field
        id="ticket-subject"
        name="subject"
        label="Subject"
        maxLength={200}
        autoComplete="off"
        required
        defaultValue={values.subject}
        error={messages.subject}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField id="ticket-category" name="category" label="Category" required defaultValue={values.category ?? ""} error={messages.category}>
          <option value="">Select a category</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {CATEGORY[category]}
            </option>
          ))}
        </SelectField>
        <SelectField id="ticket-priority" name="priority" label="Priority" defaultValue={values.priority ?? "medium"} error={messages.priority}>
          {priorities.map((priority) => (
            <option key={priority} value={priority}>
              {`${PRIORITY[priority].label} (${PRIORITY[priority].response})`}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        id="ticket-message"
        name="message"
        label="Message"
        rows={6}
        maxLength={5000}
        required
        defaultValue={values.message}
        error={messages.message}
        hint="Say what happened, when, and what you expected. You can add files once the ticket is there."
      />
      <UnsaidNotice of={unsaid} />
      <div>
        <Button type="submit" disabled={pending}>
          {pending ? "Submitting..." : "Submit Ticket"}
        </Button>
      </div>
    </form>
  );
}
