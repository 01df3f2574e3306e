import { PROMISED_HOURS } from "../../src/lib/promises";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "../ui/Button";
import { Field, TextField } from "../ui/Field";
import { PageIcon, type PageIconName } from "../ui/PageIcon";
import { type Filled, FormTemplates, Optional, PlainEmailField, plainField } from "../ui/PlainForm";
import { Notice } from "../ui/States";
import type { Company } from "../support/company";
import { LIVE_CHAT } from "./links";
import { PageHead } from "./PageHead";
import { SampleMark } from "../ui/SampleMark";
import { Section } from "./Section";

/** `values` starts with a signed-in person's name and address. */
export type ContactPageProps = Filled & {
  company: Company;
  /** The banner of a refused post. */
  message: string | null;
  /** The visitor comes from a post that was accepted. */
  sent: boolean;
};

/** The contact form and every other way to reach us. */
export function ContactPage(props: ContactPageProps) {
  return (
    <>
      <PageHead
        title="Contact us"
        lead={`Ask before you open an account, or tell us what went wrong with one. A person reads every message and answers within ${PROMISED_HOURS.contact} hours.`}
      />
      <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-x-20 gap-y-12 px-4 pb-16 md:px-6 md:pb-20 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ContactForm {...props} />
        <Details company={props.company} />
      </div>
      <Channels company={props.company} />
      <section className="mx-auto flex w-full max-w-[70rem] flex-wrap items-center justify-between gap-6 px-4 pt-14 md:px-6 md:pt-20">
        <div>
          <h2 className="font-serif text-title">Often the answer is already written</h2>
          <p className="mt-2 text-soft">Twenty questions about accounts, trading, money and security, with their answers.</p>
        </div>
        <ButtonLink href="/faq" variant="secondary" size="large">
          Browse FAQ
        </ButtonLink>
      </section>
    </>
  );
}

/** Works as a plain post; the page's script checks, sends and thanks without leaving it. */
function ContactForm({ message, sent, ...filled }: ContactPageProps) {
  const field = plainField(filled);
  return (
    <section>
      <h2 className="font-serif text-title">Send us a message</h2>
      <form id="contact-form" data-contact="" noValidate method="post" action="/contact" className="mt-6 flex max-w-[36rem] scroll-mt-24 flex-col gap-5">
        <FormTemplates />
        {sent ? (
          <Notice kind="success" title="Message Sent Successfully">
            {`Thank you for contacting us. We'll get back to you within ${PROMISED_HOURS.contact} hours.`}
          </Notice>
        ) : null}
        {message ? (
          <Notice kind="error" title="Failed to send message. Please try again.">
            {message}
          </Notice>
        ) : null}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field {...field("name", "Name is required")} label="Name" autoComplete="name" maxLength={100} />
          <PlainEmailField {...field("email")} label="Email" />
        </div>
        <Field
          {...field("subject")}
          label={
            <>
              Subject <Optional />
            </>
          }
          maxLength={200}
        />
        <TextField
          {...field("message", "Message is required")}
          label="Message"
          hint="Never send a password or a card number. For a question about one of your trades, its receipt number helps."
          rows={7}
          maxLength={5000}
        />
        <Button type="submit" size="large" className="self-start">
          Send Message
        </Button>
      </form>
    </section>
  );
}

function Details({ company }: { company: Company }) {
  const { phone, email, address } = company;
  const own = (fact: { text: string; sample: boolean }, link?: string): ReactNode => (
    <>
      {link && !fact.sample ? (
        <a href={link} className="text-accent underline underline-offset-2">
          {fact.text}
        </a>
      ) : (
        fact.text
      )}{" "}
      {fact.sample ? <SampleMark /> : null}
    </>
  );
  const cards: { icon: PageIconName; name: string; text: ReactNode }[] = [
    { icon: "phone", name: "Phone", text: phone ? own(phone, `tel:${phone.text.replace(/[^+\d]/g, "")}`) : "On request, by the form" },
    { icon: "mail", name: "Email", text: email ? own(email, `mailto:${email.text}`) : "By the form on this page" },
    { icon: "pin", name: "Office address", text: address ? own(address) : "On request, by the form" },
    {
      icon: "clock",
      name: "Hours",
      text: (
        <>
          Phone and office: Monday to Friday, 9 AM to 6 PM EST
          <br />
          Support for traders: 24/7
        </>
      ),
    },
  ];
  return (
    <aside aria-label="Our details">
      <dl className="border-t border-line">
        {cards.map(({ icon, name, text }) => (
          <div key={name} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-4 border-b border-line py-5">
            <dt className="contents">
              <PageIcon name={icon} className="mt-0.5 size-5 text-accent" />
              <span className="text-product font-semibold">{name}</span>
            </dt>
            <dd className="col-start-2 mt-1 [overflow-wrap:anywhere] text-[0.9375rem] leading-6 text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

function Channels({ company }: { company: Company }) {
  const phone = company.phone && !company.phone.sample ? `tel:${company.phone.text.replace(/[^+\d]/g, "")}` : null;
  const email = company.email && !company.email.sample ? `mailto:${company.email.text}` : null;
  const channels: { icon: PageIconName; name: string; text: string; href: string; action: string }[] = [
    {
      icon: "chat",
      name: "Live chat",
      text: "The quickest way. Sign in, and somebody answers while you look at the screen in question.",
      href: LIVE_CHAT,
      action: "Start Chat",
    },
    {
      icon: "phone",
      name: "Phone",
      text: "For what is easier said than written, in office hours. Have your account number at hand.",
      href: phone ?? "#contact-form",
      action: phone ? "Call Now" : "Ask for a Call",
    },
    {
      icon: "mail",
      name: "Email",
      text: `For what needs an attachment or a longer story. You have an answer within ${PROMISED_HOURS.contact} hours.`,
      href: email ?? "#contact-form",
      action: email ? "Send Email" : "Write to Us",
    },
  ];
  return (
    <Section id="channels" title="Other ways to reach us" tinted>
      <ul className="grid grid-cols-1 gap-10 md:grid-cols-3">
        {channels.map(({ icon, name, text, href, action }) => (
          <li key={name} className="flex flex-col items-start">
            <PageIcon name={icon} className="size-7 text-accent" />
            <h3 className="mt-4 text-heading font-semibold">{name}</h3>
            <p className="mb-6 mt-2 text-soft">{text}</p>
            <ButtonLink href={href} variant="secondary" className="mt-auto">
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
