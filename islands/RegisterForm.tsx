import { register, registerBody } from "../src/identity/schema";
import { Button } from "../views/ui/Button";
import { Field } from "../views/ui/Field";
import { PasswordField } from "../views/ui/PasswordField";
import { call } from "./lib/api";
import { useForm } from "./lib/form";
import { island } from "./lib/island";
import { toast } from "./lib/toasts";

const REDIRECT_MS = 1500;
const NAMES = ["firstName", "lastName", "email", "password", "referralCode"] as const;

type Props = { values: Partial<Record<string, string>>; errors: Record<string, string>; returnTo: string };

/** Works as a plain form post without it; here it checks as one types, says what the server said, and greets before it leaves. */
function RegisterForm({ values, errors, returnTo }: Props) {
  const { messages, pending, form } = useForm({
    schema: registerBody,
    names: NAMES,
    errors,
    send: async (value) => {
      await call(register, value, { on401: "throw" });
      toast({ title: "Account Created Successfully!", description: "You are now logged in. Redirecting to dashboard..." });
      setTimeout(() => location.assign(returnTo), REDIRECT_MS);
    },
    onFailure: ({ message }) =>
      toast({ title: "Registration Failed", description: message || "Something went wrong. Please try again.", variant: "destructive" }),
  });
  return (
    <form {...form} action="/register" className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          id="firstName"
          name="firstName"
          label="First name"
          autoComplete="given-name"
          maxLength={100}
          required
          defaultValue={values.firstName}
          error={messages.firstName}
        />
        <Field
          id="lastName"
          name="lastName"
          label="Last name"
          autoComplete="family-name"
          maxLength={100}
          required
          defaultValue={values.lastName}
          error={messages.lastName}
        />
      </div>
      <Field
        id="email"
        name="email"
        type="email"
        label="Email address"
        hint="We recommend using a Gmail address."
        autoComplete="email"
        inputMode="email"
        maxLength={254}
        required
        defaultValue={values.email}
        error={messages.email}
      />
      <PasswordField
        id="password"
        name="password"
        label="Password"
        placeholder="min. 6 characters"
        autoComplete="new-password"
        maxLength={200}
        required
        error={messages.password}
      />
      <Field
        id="referralCode"
        name="referralCode"
        label={
          <>
            Referral code <span className="font-normal text-soft">(optional)</span>
          </>
        }
        hint="Enter a code to get bonus rewards."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        defaultValue={values.referralCode}
        error={messages.referralCode}
      />
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button type="submit" size="large" wide disabled={pending}>
        {pending ? "Creating Account..." : "Create Account"}
      </Button>
    </form>
  );
}

export default island("RegisterForm", RegisterForm);
