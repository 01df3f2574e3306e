import * as v from "valibot";
import { activateUser, banUser, suspendUser, type User } from "../../src/identity/schema";
import { optionalText, text } from "../../src/lib/shapes";
import { Field, TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";

export type StandingAction = "suspend" | "activate" | "ban";

const required = text(500, "A reason is required");
/** The browser's own date and time, without a zone; empty is no end. */
const localEnd = v.pipe(
  v.string(),
  v.transform((value) => (value ? new Date(value) : null)),
  v.check((end) => end === null || end.getTime() > Date.now(), "The end must be in the future."),
  v.transform((end) => end?.toISOString() ?? null),
);
const SCHEMA = v.object({ reason: optionalText(500), suspendUntil: v.optional(localEnd, "") });
const STRICT = v.object({ ...SCHEMA.entries, reason: required });

const WORDS = {
  suspend: { title: "Suspend", busy: "Suspending...", done: "User suspended", reason: "Reason (shown to the person at sign-in)" },
  activate: { title: "Activate", busy: "Activating...", done: "User activated", reason: "Reason (optional)" },
  ban: { title: "Ban", busy: "Banning...", done: "User banned", reason: "Reason (shown to the person at sign-in)" },
} as const;

type Props = { action: StandingAction; user: User; onClose: () => void };

/** Suspends, activates or bans a person, saying first what it ends. */
export function StandingDialog({ action, user, onClose }: Props) {
  const words = WORDS[action];
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <ActionDialog
      id="standing"
      title={`${words.title} ${name}`}
      consequence={consequenceOf(action, name)}
      schema={action === "activate" ? SCHEMA : STRICT}
      names={action === "suspend" ? ["reason", "suspendUntil"] : ["reason"]}
      fields={(messages) => (
        <>
          <TextField id="standing-reason" name="reason" label={words.reason} rows={3} maxLength={500} error={messages.reason} />
          {action === "suspend" ? (
            <Field
              id="standing-until"
              name="suspendUntil"
              type="datetime-local"
              label="End (optional)"
              hint="In your own time zone. Without an end it lasts until somebody activates the account."
              error={messages.suspendUntil}
            />
          ) : null}
        </>
      )}
      submit={words.title}
      busy={words.busy}
      danger={action !== "activate"}
      send={async (value) => {
        await decide(action, user, value);
        toast({ title: words.done, description: `${name} (${user.email})` });
      }}
      onClose={onClose}
    />
  );
}

function decide(action: StandingAction, { id, accountStatus: shown }: User, { reason, suspendUntil }: v.InferOutput<typeof SCHEMA>) {
  const params = { params: { id } };
  if (action === "activate") return call(activateUser, { reason: reason ?? "", shown }, params);
  if (action === "ban") return call(banUser, { reason: reason ?? "", shown }, params);
  return call(suspendUser, { reason: reason ?? "", suspendUntil: suspendUntil ?? null, shown }, params);
}

function consequenceOf(action: StandingAction, name: string): string {
  if (action === "activate") return `${name} can sign in again at once.`;
  const open = "Open positions keep their stops and targets.";
  return action === "ban" ? `Signs ${name} out everywhere and for good. ${open}` : `Signs ${name} out everywhere and refuses sign-in. ${open}`;
}
