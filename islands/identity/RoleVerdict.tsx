import * as v from "valibot";
import { confirmRole, declineRole, declineRoleBody, type RoleRequest } from "../../src/identity/schema_roles";
import { TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

export type RoleWord = "confirm" | "decline";

/** The second administrator's word on who is to become one. Rendered only while it is open. */
export function RoleVerdict({ word, request, onClose }: { word: RoleWord; request: RoleRequest; onClose: (done?: true) => void }) {
  const { id, firstName, lastName, administrator, reason } = request;
  const name = `${firstName} ${lastName}`;
  return word === "confirm" ? (
    <ActionDialog
      id="role-verdict"
      title={`Make ${name} an administrator`}
      consequence={`${administrator} asked for it: ${reason}. ${name} can then decide about everybody's money, is signed out and signs in anew.`}
      schema={v.object({})}
      names={[]}
      fields={() => null}
      submit="Confirm"
      busy="Confirming..."
      danger
      begin="button"
      send={async () => {
        await call(confirmRole, undefined, { params: { id } });
        toast({ title: "Role changed", description: `${name} is an administrator.` });
      }}
      onClose={onClose}
    />
  ) : (
    <ActionDialog
      id="role-verdict"
      title={`Decline: ${name} as an administrator`}
      consequence={`${name} stays a trader.`}
      schema={declineRoleBody}
      names={["reason"]}
      fields={(messages) => (
        <TextField id="role-verdict-reason" name="reason" label="Reason (optional, for staff)" rows={3} maxLength={500} error={messages.reason} />
      )}
      submit="Decline"
      busy="Declining..."
      send={async ({ reason: why }) => {
        await call(declineRole, { reason: why ?? "" }, { params: { id } });
        toast({ title: "Declined", description: `${name} stays a trader.` });
      }}
      onClose={onClose}
    />
  );
}
