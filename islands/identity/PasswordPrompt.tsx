import { useEffect, useState } from "react";
import { confirm } from "../../src/identity/schema";
import { Button } from "../../views/ui/Button";
import { PasswordField } from "../../views/ui/PasswordField";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { ApiError, call } from "../wire/api";
import { useForm } from "../wire/form";
import { CodeField } from "./CodeField";

const FIELD = "confirm-password";

type Props = {
  lead: string;
  action: string;
  onBack: () => void;
  /** The action that asked for the password, sent again. */
  onConfirmed: () => Promise<void>;
  /** The password was right, and the action was refused for another reason. */
  onFailure: (error: ApiError) => void;
};

/** Asks for the password where it is needed, and for a code where there is a second factor, then repeats the refused call. */
export function PasswordPrompt({ lead, action, onBack, onConfirmed, onFailure }: Props) {
  const [asksCode, setAsksCode] = useState(false);
  const { messages, unsaid, pending, form } = useForm({
    schema: confirm.body,
    names: asksCode ? ["password", "code"] : ["password"],
    after: "again",
    send: async (value) => {
      await call(confirm, value).catch((error: unknown) => {
        throw error instanceof ApiError ? withField(error) : error;
      });
      await onConfirmed().catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        onFailure(error);
      });
    },
    onFailure: ({ code }) => code === "code_required" && setAsksCode(true),
  });
  // The prompt replaces the form that had the focus.
  useEffect(() => document.getElementById(FIELD)?.focus(), []);
  return (
    <form {...form} className="flex flex-col gap-4">
      <p>{lead}</p>
      <PasswordField id={FIELD} name="password" label="Password" autoComplete="current-password" maxLength={200} error={messages.password} />
      {asksCode ? <CodeField id="confirm-code" error={messages.code} /> : null}
      <UnsaidNotice of={unsaid} />
      <div className="flex justify-end gap-2 max-md:flex-col-reverse">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={pending}>
          {pending ? "Confirming..." : action}
        </Button>
      </div>
    </form>
  );
}

/** Whatever is wrong is said at a field. */
const withField = (error: ApiError) =>
  error.fields.password || error.fields.code ? error : new ApiError(error.status, error.message, error.code, { password: error.message }, error.retryAfter);
