import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { type Filled, FormTemplates, PlainEmailField, plainField, PlainPasswordField } from "../ui/PlainForm";
import { Notice } from "../ui/States";

type Props = Filled & {
  message: string | null;
  /** The password was right, and a code is needed too. */
  asksCode: boolean;
  returnTo: string;
  /** What a form said that has to wait for the sign-in. */
  held: string | null;
};

/** A plain form post; with the page's script a failure shows as a banner and a toast, and a success greets, then goes where one was going. */
export function LoginForm({ message, asksCode, returnTo, held, ...filled }: Props) {
  const field = plainField(filled);
  return (
    <form noValidate method="post" action="/login" className="flex flex-col gap-5">
      <FormTemplates />
      <div data-banner="" className="contents">
        {message ? <Notice kind={asksCode ? "info" : "error"}>{message}</Notice> : null}
      </div>
      <PlainEmailField {...field("email")} label="Email address" autoComplete="username webauthn" />
      <PlainPasswordField {...field("password", "Password must be at least 6 characters")} label="Password" autoComplete="current-password" minLength={6} />
      {/* The page's script shows it when the server asks for it. */}
      <div hidden={!asksCode && !filled.values.code && !filled.errors.code}>
        <Field
          {...field("code")}
          label="Authentication code"
          hint="The six digits from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck="false"
          maxLength={24}
        />
      </div>
      <input type="hidden" name="returnTo" value={returnTo} />
      {held === null ? null : <input type="hidden" name="held" value={held} />}
      <Button type="submit" size="large" wide data-pending="Signing In...">
        Sign In
      </Button>
    </form>
  );
}
