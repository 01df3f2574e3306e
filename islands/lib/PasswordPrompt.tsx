import { useEffect } from "react";
import { confirm } from "../../src/identity/schema";
import { Button } from "../../views/ui/Button";
import { PasswordField } from "../../views/ui/PasswordField";
import { ApiError, call } from "./api";
import { useForm } from "./form";

const FIELD = "confirm-password";

type Props = {
  lead: string;
  action: string;
  onBack: () => void;
  /** The deed that asked for the password, sent again. */
  onConfirmed: () => Promise<void>;
  /** The password was right, and the deed was refused for another reason. */
  onFailure: (error: ApiError) => void;
};

/** Asks for the password where it is needed, then repeats what was asked. */
export function PasswordPrompt({ lead, action, onBack, onConfirmed, onFailure }: Props) {
  const { messages, pending, form } = useForm({
    schema: confirm.body,
    names: ["password"],
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
    onFailure: () => {},
  });
  // The prompt replaces the form that had the focus.
  useEffect(() => document.getElementById(FIELD)?.focus(), []);
  return (
    <form {...form} className="flex flex-col gap-4">
      <p>{lead}</p>
      <PasswordField id={FIELD} name="password" label="Password" autoComplete="current-password" maxLength={200} error={messages.password} />
      <div className="flex justify-end gap-2 max-md:flex-col-reverse">
        <Button look="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={pending}>
          {pending ? "Confirming..." : action}
        </Button>
      </div>
    </form>
  );
}

/** Whatever is wrong is said at the one field there is. */
const withField = (error: ApiError) =>
  error.fields.password ? error : new ApiError(error.status, error.message, error.code, { password: error.message }, error.retryAfter);
