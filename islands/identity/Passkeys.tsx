import { useEffect, useState } from "react";
import {
  addPasskey,
  askOwnPasskey,
  beginPasskey,
  confirmByPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from "../../src/identity/schema_passkeys";
import { Button } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { Field } from "../../views/ui/Field";
import { dateText } from "../../views/ui/instant";
import { deviceText } from "../../views/ui/device";
import { island } from "../runtime/island";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { PasswordPrompt } from "./PasswordPrompt";

type Props = { passkeys: Passkey[]; offered: boolean };
type Asked = { lead: string; action: string; again: () => Promise<void> };

/** What the browser says where the person broke off, or the device has one already. */
const BROKEN_OFF: Record<string, string> = {
  NotAllowedError: "No passkey was used. Nothing has changed.",
  InvalidStateError: "This device has a passkey of yours already.",
};

/** One's own passkeys: added, named, removed. What changes them asks first who is there, by the password or a passkey. */
export function Passkeys({ passkeys: first, offered }: Props) {
  const [passkeys, setPasskeys] = useState(first);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [naming, setNaming] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const told = (error: unknown) => {
    if (error instanceof ApiError) return tellRefusal("Passkeys", error);
    const { name, message } = error as Error;
    toast({ title: "Passkeys", description: BROKEN_OFF[name] ?? message, variant: "destructive" });
  };
  const reread = async () => setPasskeys((await call(listPasskeys)).passkeys);
  /** Does it, or asks for a proof first and does it then. */
  const proven = async (lead: string, action: string, work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === "password_required") setAsked({ lead, action, again: work });
      else told(error);
    }
    setBusy(false);
  };
  const add = () =>
    proven("Confirm that it is you before a passkey is added.", "Continue", async () => {
      const optionsJSON = (await call(beginPasskey)) as never;
      const { startRegistration } = await import("@simplewebauthn/browser");
      const response = await startRegistration({ optionsJSON });
      const made = await call(addPasskey, { name: deviceText(navigator.userAgent).slice(0, 60), response: response as never });
      toast({ title: "Passkey added", description: "It can sign you in from now on. Give it a name that you know it by." });
      await reread();
      setNaming(made.id);
    });
  const remove = ({ id, name }: Passkey) =>
    proven(`Confirm that it is you before '${name}' is removed.`, "Remove", async () => {
      await call(removePasskey, undefined, { params: { id } });
      toast({ title: "Passkey removed", description: `'${name}' no longer signs you in.` });
      await reread();
    });
  const rename = async (id: string, name: string) => {
    try {
      await call(renamePasskey, { name }, { params: { id } });
      setNaming(null);
      await reread();
    } catch (error) {
      told(error);
    }
  };
  const proveByPasskey = async () => {
    if (!asked) return;
    try {
      const optionsJSON = (await call(askOwnPasskey)) as never;
      const { startAuthentication } = await import("@simplewebauthn/browser");
      await call(confirmByPasskey, { response: (await startAuthentication({ optionsJSON })) as never });
      setAsked(null);
      await asked.again();
    } catch (error) {
      told(error);
    }
  };
  return (
    <Panel title="Passkeys" id="passkeys">
      <p className="mb-4 text-[0.9375rem] text-soft">
        A key that your phone, computer or security key holds and opens by your finger, face or PIN. It signs you in without a password, and stands in the place
        of a code.
      </p>
      {asked ? (
        <div className="flex flex-col gap-4">
          <PasswordPrompt
            lead={asked.lead}
            action={asked.action}
            onBack={() => setAsked(null)}
            onConfirmed={async () => {
              const { again } = asked;
              setAsked(null);
              await again().catch(told);
            }}
            onFailure={told}
          />
          {passkeys.length > 0 ? (
            <div className="flex justify-end">
              <Button variant="secondary" size="small" onClick={() => void proveByPasskey()}>
                Confirm with a passkey
              </Button>
            </div>
          ) : null}
        </div>
      ) : (
        <>
          {passkeys.length === 0 ? <p className="mb-4 text-[0.9375rem]">You have none.</p> : null}
          <ul aria-label="Your passkeys" className="flex flex-col divide-y divide-line">
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
                {naming === passkey.id ? (
                  <Name passkey={passkey} onName={(name) => void rename(passkey.id, name)} onBack={() => setNaming(null)} />
                ) : (
                  <>
                    <div className="min-w-0">
                      <p className="font-medium [overflow-wrap:anywhere]">{passkey.name}</p>
                      <p className="text-table text-soft">
                        Added {dateText(passkey.createdAt)}, {passkey.usedAt === null ? "not used yet" : `last used ${dateText(passkey.usedAt)}`}
                      </p>
                    </div>
                    <div className="js-only flex gap-2">
                      <Button variant="secondary" size="small" aria-label={`Rename ${passkey.name}`} onClick={() => setNaming(passkey.id)}>
                        Rename
                      </Button>
                      <Button variant="secondary" size="small" aria-label={`Remove ${passkey.name}`} disabled={busy} onClick={() => void remove(passkey)}>
                        Remove
                      </Button>
                    </div>
                  </>
                )}
              </li>
            ))}
          </ul>
          {offered ? (
            <div className="js-only mt-4 flex justify-end">
              <Button disabled={busy} onClick={() => void add()}>
                {busy ? "One moment..." : "Add a passkey"}
              </Button>
            </div>
          ) : (
            <p className="mt-4 text-table text-soft">Passkeys need https, so none can be added here.</p>
          )}
        </>
      )}
    </Panel>
  );
}

function Name({ passkey, onName, onBack }: { passkey: Passkey; onName: (name: string) => void; onBack: () => void }) {
  // It stands where the button was that had the focus.
  useEffect(() => document.getElementById("passkey-name")?.focus(), []);
  return (
    <form
      className="flex w-full flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onName(String(new FormData(event.currentTarget).get("name") ?? ""));
      }}
    >
      <div className="min-w-0 flex-1 basis-48">
        <Field id="passkey-name" name="name" label="Name of the passkey" defaultValue={passkey.name} maxLength={60} required />
      </div>
      <Button variant="secondary" onClick={onBack}>
        Back
      </Button>
      <Button type="submit">Save name</Button>
    </form>
  );
}

export default island("Passkeys", Passkeys);
