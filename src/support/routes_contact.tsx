import { PROMISED_HOURS } from "../lib/promises";
import { companyOf } from "../../views/support/company";
import { ContactPage, type ContactPageProps } from "../../views/content/ContactPage";
import { fit } from "../lib/fit";
import { refusedForm } from "../platform/http/refused";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, redirect, statusOf, type RequestContext } from "../platform/http/routes";
import { sendContactMessage } from "./commands_contact";
import { contactBody, sendContact } from "./schema_contact";

const TITLE = "Contact us";
const DESCRIPTION = `Write to us, call, or start a chat. We answer messages within ${PROMISED_HOURS.contact} hours.`;

/** The contact form: as a call, as a page, and as a plain form post. */
export function contactRoutes(app: AppContext): Routes {
  const company = companyOf(app.config.company, app.config.siteMode === "demo");
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
  return new Routes(app, import.meta.path)
    .open(sendContact, async ({ body, context }) => {
      context.me = await app.authenticator.whoIs(context);
      return sendContactMessage(app, context, body);
    })
    .page("/contact", ({ context, me }) => ({
      title: TITLE,
      description: DESCRIPTION,
      body: page(me, { sent: context.url.searchParams.has("sent") }),
      form: "contact",
      keep: { forMs: Number.POSITIVE_INFINITY },
    }))
    .form("/contact", async ({ context, form, me }) => {
      const asked = fit(contactBody, form);
      const again = (status: number, errors: Record<string, string>, message: string | null) => ({
        title: TITLE,
        status,
        body: page(me, { values: form, errors, message }),
        form: "contact" as const,
      });
      if (!asked.ok) return again(400, asked.fields, null);
      try {
        await sendContactMessage(app, context, asked.value);
        return redirect("/contact?sent=1#contact-form", 303);
      } catch (error) {
        return again(...refused(app, error, context));
      }
    });
}

/** Status, messages by field, and the banner of a refused post; a fault of ours goes on to the error page. */
function refused(app: AppContext, error: unknown, context: RequestContext): [number, Record<string, string>, string | null] {
  const refusal = refusedForm(app, context, error);
  return [statusOf(refusal), refusal.fields ?? {}, refusal.fields ? null : refusal.message];
}
