import { useState } from "react";
import { login, loginBody } from "../src/identity/schema";
import { Button } from "../views/ui/Button";
import { Field } from "../views/ui/Field";
import { PasswordField } from "../views/ui/PasswordField";
import { Notice } from "../views/ui/States";
import { call } from "./lib/api";
import { useForm } from "./lib/form";
import { island } from "./lib/island";
import { toast } from "./lib/toasts";

const REDIRECT_MS = 1500;
const NAMES = ["email", "password"] as const;

type Props = { values: Partial<Record<string, string>>; errors: Record<string, string>; message: string | null; returnTo: string };

/** Works as a plain form post without it. A failure shows as a banner and a toast; a success greets, then goes where one was going. */
function LoginForm({ values, errors, message, returnTo }: Props) {
  const [banner, setBanner] = useState(message);
  const { messages, pending, form } = useForm({
    schema: loginBody,
    names: NAMES,
    errors,
    send: async (value) => {
      setBanner(null);
      const { user } = await call(login, value, { on401: "throw" });
      toast({ title: "Login Successful", description: `Welcome back, ${user.firstName || "Trader"}. Redirecting to dashboard...` });
      setTimeout(() => location.assign(returnTo), REDIRECT_MS);
    },
    onFailure: (error) => {
      const text = error.message || "Login failed";
      setBanner(text);
      toast({ title: "Login Failed", description: text, variant: "destructive" });
    },
  });
  return (
    <form {...form} action="/login" className="flex flex-col gap-5">
      {banner ? <Notice kind="error">{banner}</Notice> : null}
      <Field
        id="email"
        name="email"
        type="email"
        label="Email address"
        autoComplete="username"
        inputMode="email"
        maxLength={254}
        required
        defaultValue={values.email}
        error={messages.email}
      />
      <PasswordField id="password" name="password" label="Password" autoComplete="current-password" maxLength={200} required error={messages.password} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button type="submit" size="large" wide disabled={pending}>
        {pending ? "Signing In..." : "Sign In"}
      </Button>
    </form>
  );
}

export default island("LoginForm", LoginForm);
