import { may } from "../../src/lib/may";
import { listRoleRequests, type RoleRequest } from "../../src/identity/schema_roles";
import { Button } from "../../views/ui/Button";
import { Notice } from "../../views/ui/States";
import { useAsked, useLive } from "../runtime/live_list";
import { call } from "../wire/api";
import { RoleVerdict, type RoleWord } from "./RoleVerdict";

/** That somebody wants to make this person an administrator, and the second administrator's word on it. */
export function RoleWaiting({ userId, me, first }: { userId: string; me: string; first: RoleRequest[] }) {
  const { value } = useLive(first, () => call(listRoleRequests, undefined, { query: { userId } }), ["person"]);
  const [asked, ask, close] = useAsked<RoleWord>();
  const request = value[0];
  if (!request) return null;
  const { firstName, lastName, administrator, adminUserId, reason } = request;
  return (
    <>
      <Notice kind="warning" title="Takes a second administrator">
        <p className="[overflow-wrap:anywhere]">
          {administrator} wants to make {`${firstName} ${lastName}`} an administrator: {reason}
        </p>
        {adminUserId === me || !may("roles.give") ? (
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
      {asked ? <RoleVerdict key={asked} word={asked} request={request} onClose={close} /> : null}
    </>
  );
}
