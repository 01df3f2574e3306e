import * as v from "valibot";
import { decideKyc, type User } from "../../src/identity/schema";
import { text } from "../../src/lib/shapes";
import { SelectField, TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";

const SCHEMA = v.object({ status: v.picklist(["pending", "verified", "rejected"], "Choose a status."), reason: text(500, "A reason is required") });
const CHOICES = [
  ["verified", "Verified"],
  ["rejected", "Rejected"],
  ["pending", "Pending"],
] as const;

/** Records the result of an identity check. */
export function KycDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <ActionDialog
      id="kyc"
      title={`KYC decision: ${name}`}
      consequence={`Records whether ${name} is who the papers say. It is ${user.kycStatus} now.`}
      schema={SCHEMA}
      names={["status", "reason"]}
      fields={(messages) => (
        <>
          <SelectField
            id="kyc-status"
            name="status"
            label="KYC status"
            defaultValue={user.kycStatus === "verified" ? "rejected" : "verified"}
            error={messages.status}
          >
            {CHOICES.filter(([id]) => id !== user.kycStatus).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField
            id="kyc-reason"
            name="reason"
            label="Reason"
            hint="What was seen: kept in the audit trail."
            rows={3}
            maxLength={500}
            error={messages.reason}
          />
        </>
      )}
      submit="Record"
      busy="Recording..."
      send={async ({ status, reason }) => {
        await call(decideKyc, { status, reason }, { params: { id: user.id } });
        toast({ title: "KYC decision recorded", description: `${name} is ${status}.` });
      }}
      onClose={onClose}
    />
  );
}
