import { companyOf } from "../../views/content/company";
import { ContactPage, type ContactPageProps } from "../../views/content/ContactPage";
import { fit } from "../lib/fit";
import { refusalOf } from "../platform/db";
import type { House, Me } from "../platform/house";
import { Doors, redirect, statusOf, type Visit } from "../platform/http";
import { sendContactMessage } from "./commands_contact";
import { contactBody, sendContact } from "./schema_contact";

const TITLE = "Contact us";
const DESCRIPTION = "Write to us, call, or start a chat. We answer messages within 24 hours.";

/** The contact form: as a call, as a page, and as a plain form post. */
export function contactDoors(house: House): Doors {
  const company = companyOf(house.config.company, house.config.siteMode === "demo");
  const page = (me: Me | null, given: Partial<ContactPageProps> = {}) => (
    <ContactPage
      company={company}
      values={me ? { name: `${me.firstName} ${me.lastName}`.trim(), email: me.email } : {}}
      errors={{}}
      message={null}
      sent={false}
      {...given}
    />
  );
  return new Doors(house)
    .open(sendContact, async ({ body, visit }) => {
      visit.me = await house.gate.whoIs(visit);
      return sendContactMessage(house, visit, body);
    })
    .page("/contact", ({ visit, me }) => ({
      title: TITLE,
      description: DESCRIPTION,
      body: page(me, { sent: visit.url.searchParams.has("sent") }),
      form: "contact",
      keep: { forMs: Number.POSITIVE_INFINITY },
    }))
    .form("/contact", async ({ visit, form, me }) => {
      const asked = fit(contactBody, form);
      const again = (status: number, errors: Record<string, string>, message: string | null) => ({
        title: TITLE,
        status,
        body: page(me, { values: form, errors, message }),
        form: "contact" as const,
      });
      if (!asked.ok) return again(400, asked.fields, null);
      try {
        await sendContactMessage(house, visit, asked.value);
        return redirect("/contact?sent=1#contact-form", 303);
      } catch (error) {
        return again(...refused(error, visit));
      }
    });
}

/** Status, messages by field, and the banner of a refused post; a fault of ours goes on to the error page. */
function refused(error: unknown, visit: Visit): [number, Record<string, string>, string | null] {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  if (refusal.retryAfter) visit.headers.set("Retry-After", String(Math.ceil(refusal.retryAfter)));
  return [statusOf(refusal), refusal.fields ?? {}, refusal.fields ? null : refusal.message];
}
