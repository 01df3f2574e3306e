import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { contactById, lockContact, sameContact, sentFrom, staffContactById } from "./queries_contact";
import { contactAction, refuseFlood } from "./rules_contact";
import type { ContactForm, ContactMessage, ContactStatus, StaffContactMessage } from "./schema_contact";

/** Keeps what a visitor wrote. Refuses a network that sends too much; the same words again are the message that is there. */
export async function sendContactMessage(
  { sql, bus }: AppContext,
  context: Pick<RequestContext, "network" | "me">,
  form: ContactForm,
): Promise<ContactMessage> {
  const { network } = context;
  const sent = await sql.begin(async (tx) => {
    // One message of a network at a time, or parallel ones would all see the count before them.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`contact ${network}`}, 0))`;
    const again = await sameContact(tx, network, form);
    if (again) return again;
    refuseFlood(await sentFrom(tx, network));
    const [made] = await tx<{ id: string }[]>`
      insert into contact_messages (name, email, subject, message, user_id, network)
      values (${form.name}, ${form.email}, ${form.subject ?? ""}, ${form.message}, ${context.me?.id ?? null}, ${network})
      returning id
    `;
    return found(await contactById(tx, made?.id ?? ""));
  });
  bus.publish("staff", { about: "contact" });
  bus.publish("raised", {});
  return sent;
}

/** Marks a message as answered or closed, or opens it again; 409 where somebody else did so first. */
export async function decideContactMessage({ sql, bus }: AppContext, act: Act, id: string, to: ContactStatus, note: string): Promise<StaffContactMessage> {
  const decided = await sql.begin(async (tx) => {
    const { subject, ...was } = found(await lockContact(tx, id));
    await tx`select refuse_own(${act.admin.id}, null)`;
    const command = contactAction(was.status, to);
    await tx`
      update contact_messages
      set status = ${to}, note = ${note},
        handled_by = ${to === "new" ? null : act.admin.id}, handled_at = ${to === "new" ? null : tx`clock_timestamp()`}
      where id = ${id}
    `;
    await tx`
      select audit_append(
        ${act.admin.id}, null, ${command}, ${JSON.stringify({ messageId: id, subject })}::text::json, ${JSON.stringify(was)}::text::json,
        ${JSON.stringify({ status: to, note })}::text::json, ${note}, ${act.ip}, ${act.userAgent}
      )
    `;
    return found(await staffContactById(tx, id));
  });
  bus.publish("staff", { about: "contact" });
  return decided;
}
