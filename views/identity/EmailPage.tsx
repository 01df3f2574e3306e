import { Badge } from "../ui/Badge";
import { Button, ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Field } from "../ui/Field";
import { Notice } from "../ui/States";

type Step = "send" | "change";
export type EmailSaid = { step: Step; errors: Record<string, string>; message?: string; email?: string };
type Props = {
  email: string;
  verified: boolean;
  /** Whether the site can send letters. */
  sends: boolean;
  asksCode: boolean;
  done?: string;
  said?: EmailSaid;
};

const hidden = (step: Step) => <input type="hidden" name="step" value={step} />;

/** One's own address: whether it is verified, and another one in its place. Plain forms. */
export const EmailPage = ({ email, verified, sends, asksCode, done, said }: Props) => (
  <div className="mx-auto flex w-full max-w-[40rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
    <div>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-title font-semibold">Email address</h1>
        <Verified verified={verified} />
      </div>
      <p className="mt-2 text-soft [overflow-wrap:anywhere]">{email}</p>
    </div>
    {done ? <Notice kind="success">{done}</Notice> : null}
    {said?.message ? <Notice kind="error">{said.message}</Notice> : null}
    {verified || !sends ? null : (
      <Panel title="Verify it">
        <p className="mb-4 text-[0.9375rem]">
          We sent a letter with a link when you registered. It is good for three days. A withdrawal needs a verified address.
        </p>
        <form method="post" action="/email" className="flex justify-end">
          {hidden("send")}
          <Button type="submit" variant="secondary">
            Send the letter again
          </Button>
        </form>
      </Panel>
    )}
    <Panel title="Another address">
      <p className="mb-4 text-[0.9375rem] text-soft">
        {sends
          ? "It counts once you open the letter that we send there. The present address is told, with a link that takes the change back for seven days."
          : "This site has no mail server, so it counts at once."}
      </p>
      <form noValidate method="post" action="/email" className="flex flex-col gap-4">
        {hidden("change")}
        <Field
          id="new-email"
          name="email"
          type="email"
          label="New address"
          autoComplete="email"
          maxLength={254}
          required
          defaultValue={said?.email}
          error={said?.errors.email}
        />
        <Field
          id="email-password"
          name="password"
          type="password"
          label="Your password"
          autoComplete="current-password"
          maxLength={200}
          required
          spellCheck="false"
          autoCapitalize="none"
          error={said?.errors.password}
        />
        {asksCode ? (
          <Field
            id="email-code"
            name="code"
            label="Authentication code"
            hint="The six digits from your app, or a recovery code."
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck="false"
            maxLength={24}
            required
            error={said?.errors.code}
          />
        ) : null}
        <div className="flex justify-end">
          <Button type="submit">Change the address</Button>
        </div>
      </form>
    </Panel>
  </div>
);

const Verified = ({ verified }: { verified: boolean }) => (verified ? <Badge>Verified</Badge> : <Badge tone="secondary">Not verified</Badge>);

/** The address on the profile, and the way to change it. */
export const EmailCard = ({ email, verified }: { email: string; verified: boolean }) => (
  <Panel title="Email address" id="email" action={<Verified verified={verified} />}>
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="min-w-0 flex-1 basis-60 text-soft [overflow-wrap:anywhere]">{email}</p>
      <ButtonLink href="/email" variant="secondary">
        {verified ? "Change" : "Verify or change"}
      </ButtonLink>
    </div>
  </Panel>
);
