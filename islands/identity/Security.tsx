import { useState } from "react";
import { changePassword, endSession, type Session } from "../../src/identity/schema";
import { deviceText } from "../../views/ui/device";
import { instantText } from "../../views/ui/instant";
import { Badge } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { PasswordField } from "../../views/ui/PasswordField";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { useForm } from "../wire/form";
import { CodeField } from "./CodeField";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

/** Where a person is signed in, each session revocable, and the password. */
export function Security({ sessions: first }: { sessions: Session[] }) {
  const [sessions, setSessions] = useState(first);
  const [busy, setBusy] = useState<string | null>(null);
  const end = async (id: string) => {
    setBusy(id);
    const ended = await attempt("Error", async () => {
      await call(endSession, undefined, { params: { id } });
      return true;
    });
    setBusy(null);
    if (!ended) return;
    setSessions((before) => before.filter((session) => session.id !== id));
    toast({ title: "Session ended", description: "That device has to sign in again." });
  };
  return (
    <>
      <Panel title="Sessions" id="sessions">
        <ul className="flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
              <div className="min-w-0">
                <p className="font-medium">{deviceText(session.userAgent)}</p>
                <p className="text-table text-soft [overflow-wrap:anywhere]">
                  {session.ip || "Unknown address"}, last used {instantText(session.seenAt)} UTC
                </p>
              </div>
              {session.current ? (
                <Badge>This device</Badge>
              ) : (
                <Button
                  variant="secondary"
                  size="small"
                  className="js-only"
                  aria-label={`End the session of ${deviceText(session.userAgent)}, ${session.ip}`}
                  disabled={busy !== null}
                  onClick={() => void end(session.id)}
                >
                  {busy === session.id ? "Ending..." : "End session"}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <PasswordForm onChanged={() => setSessions((before) => before.filter(({ current }) => current))} />
    </>
  );
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const [asksCode, setAsksCode] = useState(false);
  const { messages, unsaid, pending, form } = useForm({
    schema: changePassword.body,
    names: ["currentPassword", "newPassword", ...(asksCode ? (["code"] as const) : [])],
    after: "again",
    send: async (value, element) => {
      await call(changePassword, value, { on401: "throw" });
      toast({ title: "Password changed", description: "Your other sessions were ended." });
      element.reset();
      setAsksCode(false);
      onChanged();
    },
    onFailure: ({ code, message }) => (code === "code_required" ? setAsksCode(true) : toast({ title: "Error", description: message, variant: "destructive" })),
  });
  return (
    <Panel title="Password" id="password">
      <form {...form} className="flex flex-col gap-4">
        <PasswordField
          id="current-password"
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          maxLength={200}
          error={messages.currentPassword}
        />
        <PasswordField id="new-password" name="newPassword" label="New password" autoComplete="new-password" maxLength={200} error={messages.newPassword} />
        {asksCode ? <CodeField id="password-code" error={messages.code} /> : null}
        <UnsaidNotice of={unsaid} />
        <div className="flex justify-end">
          <Button type="submit" className="js-only" disabled={pending}>
            {pending ? "Changing..." : "Change password"}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

export default island("Security", Security, { when: "idle" });
