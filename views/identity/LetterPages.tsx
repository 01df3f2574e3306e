import type { ReactNode } from "react";
import { Button, ButtonLink } from "../ui/Button";
import { Field } from "../ui/Field";
import { type Filled, PlainEmailField, plainField } from "../ui/PlainForm";
import { Notice } from "../ui/States";

/** The pages that letters lead to, and those that ask for one: plain forms. A link alone does nothing, its page's button does. */

const Narrow = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-[30rem] flex-col gap-6 px-4 py-10 md:py-16">
    <h1 className="font-serif text-section">{title}</h1>
    {children}
  </div>
);

const Words = ({ children }: { children: ReactNode }) => <p className="text-soft">{children}</p>;

/** What was not taken, above its form. */
const Refused = ({ message }: { message: string | undefined }) => (message ? <Notice kind="error">{message}</Notice> : null);

type Again = { errors?: Record<string, string>; message?: string };

/** `sends` is false where the site has no mail server. */
export function ForgotPage({ email = "", sends, errors = {}, message }: { email?: string; sends: boolean } & Again) {
  const field = plainField({ values: { email }, errors } satisfies Filled);
  return (
    <Narrow title="Forgot your password?">
      <Words>We send a letter with a link to the address you registered with. It is good for 30 minutes.</Words>
      {sends ? null : (
        <Notice kind="warning" title="This site sends no letters">
          No mail server is set, so nothing will come.{" "}
          <a href="/contact" className="text-accent underline underline-offset-2">
            Write to us
          </a>{" "}
          instead.
        </Notice>
      )}
      <Refused message={message} />
      <form noValidate method="post" action="/forgot-password" className="flex flex-col gap-5">
        <PlainEmailField {...field("email")} label="Email address" autoComplete="username" />
        <Button type="submit" size="large" wide>
          Send the letter
        </Button>
      </form>
      <p>
        <a href="/login" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
          Back to sign-in
        </a>
      </p>
    </Narrow>
  );
}

/** What is said whether anybody has the address or not. */
export const ForgotDonePage = ({ email }: { email: string }) => (
  <Narrow title="Look into your mailbox">
    <Notice kind="success" title="Asked">
      If an account has the address <strong className="font-semibold [overflow-wrap:anywhere]">{email}</strong>, a letter is on its way to it.
    </Notice>
    <Words>It may take a minute. Look into the folder for spam, too. Nothing about your account has changed so far.</Words>
  </Narrow>
);

export function ResetPage({ token, errors = {}, message, email }: { token: string; email: string } & Again) {
  return (
    <Narrow title="Choose a new password">
      <Words>All your sessions end with it. Your second factor stays as it is.</Words>
      <Refused message={message} />
      <form noValidate method="post" action="/reset-password" className="flex flex-col gap-5">
        <input type="hidden" name="token" value={token} />
        {/* So that a password manager knows whose it keeps. */}
        <input type="text" name="username" value={email} readOnly hidden autoComplete="username" />
        <Field
          id="password"
          name="password"
          type="password"
          label="New password"
          hint="At least 6 characters; administrators 12."
          autoComplete="new-password"
          maxLength={200}
          required
          spellCheck="false"
          autoCapitalize="none"
          error={errors.password}
        />
        <Button type="submit" size="large" wide>
          Change the password
        </Button>
      </form>
    </Narrow>
  );
}

type Press = { title: string; words: string; action: string; token: string; label: string; danger?: boolean; message?: string };

/** A page whose one button does what the letter was about. */
export const PressPage = ({ title, words, action, token, label, danger, message }: Press) => (
  <Narrow title={title}>
    <Words>{words}</Words>
    <Refused message={message} />
    <form method="post" action={action} className="flex flex-col gap-5">
      <input type="hidden" name="token" value={token} />
      <Button type="submit" size="large" wide {...(danger ? { variant: "danger" as const } : {})}>
        {label}
      </Button>
    </form>
  </Narrow>
);

/** What was done, and where to go on. */
export const PressedPage = ({ title, words, next }: { title: string; words: string; next?: { href: string; label: string } }) => (
  <Narrow title={title}>
    <Notice kind="success">{words}</Notice>
    {next ? (
      <div>
        <ButtonLink href={next.href}>{next.label}</ButtonLink>
      </div>
    ) : null}
  </Narrow>
);

/** Unknown, used, expired: the same page for all of them. */
export const LinkOverPage = ({ message }: { message: string }) => (
  <Narrow title="This link does nothing any more">
    <Words>{message}</Words>
    <p className="flex flex-wrap gap-x-6">
      <a href="/forgot-password" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
        Forgot your password?
      </a>
      <a href="/login" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
        Sign in
      </a>
    </p>
  </Narrow>
);
