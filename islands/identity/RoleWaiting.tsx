import * as v from "valibot";
import { confirmRole, declineRole, declineRoleBody, listRoleRequests, type RoleRequest } from "../../src/identity/schema_roles";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { ActionDialog } from "../ui/ActionDialog";
import { useAsked, useLive } from "../runtime/live_list";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** That somebody wants to make this person an administrator, and the second administrator's word on it. */
export function RoleWaiting({ userId, me, first }: { userId: string; me: string; first: RoleRequest[] }) {
  const { value } = useLive(first, () => call(listRoleRequests, undefined, { query: { userId } }), ["person"]);
  const [asked, ask, close] = useAsked<"confirm" | "decline">();
  const request = value[0];
  if (!request) return null;
  const { id, firstName, lastName, administrator, adminUserId, reason } = request;
  const name = `${firstName} ${lastName}`;
  return (
    <>
      <Notice kind="warning" title="Takes a second administrator">
        <p className="[overflow-wrap:anywhere]">
          {administrator} wants to make {name} an administrator: {reason}
        </p>
        {adminUserId === me ? (
          <p className="mt-1">Another administrator decides.</p>
        ) : (
          <div className="js-only mt-2 flex flex-wrap gap-2">
            <Button size="small" onClick={() => ask("confirm")}>
              Confirm
            </Button>
            <Button size="small" variant="secondary" onClick={() => ask("decline")}>
              Decline
            </Button>
          </div>
        )}
      </Notice>
      {asked === "confirm" ? (
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
          onClose={close}
        />
      ) : null}
      {asked === "decline" ? (
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
          onClose={close}
        />
      ) : null}
    </>
  );
}
