import { useEffect } from "react";
import { Field } from "../../views/ui/Field";

/** The code of a second factor, which shows once the server asks for it, and takes the keyboard then. */
export function CodeField({ id, error }: { id: string; error: string | undefined }) {
  useEffect(() => document.getElementById(id)?.focus(), [id]);
  return (
    <Field
      id={id}
      name="code"
      label="Authentication code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck="false"
      maxLength={24}
      hint="The six digits from your authenticator app, or a recovery code."
      error={error}
    />
  );
}
