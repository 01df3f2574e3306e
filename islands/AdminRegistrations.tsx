import { useState } from "react";
import { approveRegistration, listPendingRegistrations, type PendingRegistration, rejectRegistration } from "../src/identity/schema";
import { nameOf, RegistrationCards } from "../views/admin/RegistrationCards";
import { TextField } from "../views/ui/Field";
import { Icon } from "../views/ui/Icon";
import { call } from "./lib/api";
import { useClaim, useLooking } from "./lib/claims";
import { attempt } from "./lib/deed";
import { DeedDialog } from "./lib/DeedDialog";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { toast } from "./lib/toasts";

type Props = { people: PendingRegistration[]; me: string };

/** Who waits for an answer. The list follows what others register and decide. */
export function AdminRegistrations({ people, me }: Props) {
  const { value, lost } = useLive(people, () => call(listPendingRegistrations), ["person"]);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [rejected, setRejected] = useState<PendingRegistration | null>(null);
  const looking = useLooking(me);
  useClaim("registration", rejected?.id ?? null);

  const approve = async (person: PendingRegistration) => {
    setBusy((now) => new Set(now).add(person.id));
    const done = await attempt("Approval Failed", () => call(approveRegistration, undefined, { params: { userId: person.id } }));
    if (done) toast({ title: "Registration Approved!", description: `${done.user.email} can now trade live and withdraw.` });
    await lookAgain();
    setBusy((now) => new Set([...now].filter((id) => id !== person.id)));
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="flex items-center gap-2 text-heading font-semibold">
          Pending Registrations
          <span
            aria-label={`${value.length} waiting`}
            role="img"
            className={
              value.length
                ? "rounded-full bg-warn-soft px-2 text-product tabular-nums text-warn"
                : "rounded-full bg-sunken px-2 text-product tabular-nums text-soft"
            }
          >
            {value.length}
          </span>
        </h1>
        <a href="/admin" className="inline-flex min-h-11 items-center gap-1 text-product text-accent underline-offset-4 hover:underline">
          <Icon name="arrowLeft" className="size-4" />
          Back to the control panel
        </a>
      </div>
      {lost ? <LostNotice /> : null}
      <RegistrationCards people={value} looking={looking} busy={busy} onApprove={(person) => void approve(person)} onReject={setRejected} />
      {rejected ? (
        <DeedDialog
          key={rejected.id}
          id="rejection"
          title={`Reject ${nameOf(rejected)}`}
          consequence={`Signs ${nameOf(rejected)} out and refuses sign-in with the reason.`}
          schema={rejectRegistration.body}
          names={["reason"]}
          fields={(messages) => (
            <TextField
              id="rejection-reason"
              name="reason"
              label="Reason (optional)"
              hint="Left empty: Registration does not meet requirements"
              rows={3}
              maxLength={500}
              error={messages.reason}
            />
          )}
          submit="Reject"
          busy="Rejecting..."
          danger
          failed="Rejection Failed"
          send={async ({ reason }) => {
            const { user } = await call(rejectRegistration, { reason: reason ?? "" }, { params: { userId: rejected.id } });
            toast({ title: "Registration Rejected", description: `${user.email} was told why.` });
          }}
          onClose={() => {
            setRejected(null);
            void lookAgain();
          }}
        />
      ) : null}
    </>
  );
}

export default island("AdminRegistrations", AdminRegistrations);
