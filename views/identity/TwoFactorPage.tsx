import type { ReactNode } from "react";
import CopyText from "../../islands/ui/CopyText";
import Passkeys from "../../islands/identity/Passkeys";
import type { Passkey } from "../../src/identity/schema_passkeys";
import type { RecoveryCodes, Setup } from "../../src/identity/schema_two_factor";
import { QrCode } from "../ui/QrCode";
import { dateText } from "../ui/instant";
import { Badge } from "../ui/Badge";
import { Button, ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Field } from "../ui/Field";
import { Notice } from "../ui/States";
import { RecoveryCodeList } from "./RecoveryCodeList";

export type Begun = Setup;
export type TwoFactorContent =
  | { at: "off"; keys: Keys }
  | ({ at: "begun" } & Begun)
  | ({ at: "codes"; fresh: boolean } & RecoveryCodes)
  | { at: "on"; since: string; left: number; keys: Keys };
type Keys = { offered: boolean; passkeys: Passkey[] };

type Step = "begin" | "confirm" | "codes" | "off";
type Said = { step: Step; errors: Record<string, string>; message?: string };
type Props = {
  content: TwoFactorContent;
  /** The back office stays shut until it is on. */
  required: boolean;
  staff: boolean;
  /** What was refused, and at which step. */
  said?: Said;
};

/** One's own second factor, as plain forms that work without scripts. */
export function TwoFactorPage({ content, required, staff, said }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-[40rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-title font-semibold">Two-factor sign-in</h1>
          {content.at === "on" || content.at === "codes" ? <Badge>On</Badge> : <Badge tone="secondary">Off</Badge>}
        </div>
        <p className="mt-2 text-soft">
          A code from an app on your phone on top of your password, or a passkey. Whoever learns the password alone stays outside.
        </p>
      </div>
      {said?.message ? <Notice kind="error">{said.message}</Notice> : null}
      {contentOf({ content, required, staff, ...(said ? { said } : {}) })}
      {"keys" in content ? <Passkeys {...content.keys} /> : null}
    </div>
  );
}

function contentOf({ content, required, staff, said }: Props): ReactNode {
  if (content.at === "begun") return <Confirm setup={content} said={said} />;
  if (content.at === "codes") return <RecoveryCodeList codes={content.recoveryCodes} fresh={content.fresh} staff={staff} />;
  if (content.at === "on") return <On since={content.since} left={content.left} said={said} />;
  return (
    <>
      {required ? (
        <Notice kind="warning" title="Administrators need it here">
          The back office opens when it is on, or when you have a passkey.
        </Notice>
      ) : null}
      <Begin said={said} />
    </>
  );
}

function PlainStep({ step, children, button, danger }: { step: Step; children: ReactNode; button: string; danger?: boolean }) {
  return (
    <form method="post" action="/two-factor" className="flex flex-col gap-4">
      <input type="hidden" name="step" value={step} />
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        {step === "confirm" ? (
          <ButtonLink href="/two-factor" variant="secondary">
            Cancel
          </ButtonLink>
        ) : null}
        <Button type="submit" {...(danger ? { variant: "danger" as const } : {})}>
          {button}
        </Button>
      </div>
    </form>
  );
}

const PasswordOf = ({ step, said }: { step: Step; said: Said | undefined }) => (
  <Field
    id={`${step}-password`}
    name="password"
    type="password"
    label="Your password"
    autoComplete="current-password"
    maxLength={200}
    required
    spellCheck="false"
    autoCapitalize="none"
    error={said?.step === step ? said.errors.password : undefined}
  />
);

const CodeOf = ({ step, said, hint }: { step: Step; said: Said | undefined; hint: string }) => (
  <Field
    id={`${step}-code`}
    name="code"
    label="Authentication code"
    hint={hint}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck="false"
    maxLength={24}
    required
    {...(step === "confirm" ? { inputMode: "numeric" as const } : {})}
    error={said?.step === step ? said.errors.code : undefined}
  />
);

const Begin = ({ said }: { said: Said | undefined }) => (
  <Panel title="Set it up">
    <ol className="mb-6 flex list-decimal flex-col gap-2 pl-5 text-[0.9375rem] marker:text-soft">
      <li>Have an authenticator app on your phone. Any that reads QR codes will do.</li>
      <li>Scan the code that we show you next, and enter the six digits that the app then shows.</li>
      <li>Keep the ten recovery codes somewhere safe. They let you in if the phone is lost.</li>
    </ol>
    <PlainStep step="begin" button="Continue">
      <PasswordOf step="begin" said={said} />
    </PlainStep>
  </Panel>
);

const Confirm = ({ setup, said }: { setup: Begun; said: Said | undefined }) => (
  <Panel title="Connect your app">
    <div className="mb-6 grid items-center gap-6 sm:grid-cols-[auto_minmax(0,1fr)]">
      <QrCode text={setup.address} label="QR code for your authenticator app" className="size-52 max-w-full max-sm:mx-auto" />
      <div className="min-w-0">
        <p className="text-[0.9375rem]">Scan this with your authenticator app. If you read this on the phone itself, enter the key by hand:</p>
        <div className="mt-3 flex items-center gap-1">
          <code data-secret={setup.secret} className="font-mono text-base font-semibold leading-7 [overflow-wrap:anywhere]">
            {(setup.secret.match(/.{4}/g) ?? []).join(" ")}
          </code>
          <CopyText text={setup.secret} what="Key" />
        </div>
        <p className="mt-1 text-table text-soft">Type: by time, six digits, every 30 seconds.</p>
      </div>
    </div>
    <PlainStep step="confirm" button="Turn on">
      <CodeOf step="confirm" said={said} hint="The six digits that the app shows now." />
    </PlainStep>
  </Panel>
);

const EITHER = "The six digits from your app, or a recovery code.";

const On = ({ since, left, said }: { since: string; left: number; said: Said | undefined }) => (
  <>
    <p className="text-[0.9375rem]">
      On since {dateText(since)}. {left === 0 ? "No recovery code is left." : `${left} recovery ${left === 1 ? "code is" : "codes are"} left.`}
    </p>
    {left < 3 ? (
      <Notice kind="warning" title="Few recovery codes are left">
        Without one, a lost phone keeps you out until an administrator lets you in again.
      </Notice>
    ) : null}
    <Panel title="New recovery codes" id="new-codes">
      <p className="mb-4 text-[0.9375rem] text-soft">Makes ten new ones. The earlier codes stop working, and your other sessions end.</p>
      <PlainStep step="codes" button="Make new codes">
        <PasswordOf step="codes" said={said} />
        <CodeOf step="codes" said={said} hint={EITHER} />
      </PlainStep>
    </Panel>
    <Panel title="Switch it off" id="switch-off">
      <p className="mb-4 text-[0.9375rem] text-soft">For another phone, switch it off and set it up again. Your other sessions end.</p>
      <PlainStep step="off" button="Switch off" danger>
        <PasswordOf step="off" said={said} />
        <CodeOf step="off" said={said} hint={EITHER} />
      </PlainStep>
    </Panel>
  </>
);
