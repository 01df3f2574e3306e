import { may } from "../../src/lib/may";
import { getMember, type Member } from "../../src/identity/schema";
import type { RoleRequest } from "../../src/identity/schema_roles";
import { type ClientAction, ClientHeader } from "../../views/admin/ClientHeader";
import { useEffect } from "react";
import { actionsFor, type PersonAction } from "../../views/identity/UserTable";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { CountryDialog } from "../compliance/CountryDialog";
import { EraseDialog } from "../compliance/EraseDialog";
import { LostNotice } from "../ui/LostNotice";
import { PersonDialog } from "../identity/PersonDialog";
import { ReleaseDialog } from "../identity/ReleaseDialog";
import { RoleDialog } from "../identity/RoleDialog";
import { RoleWaiting } from "../identity/RoleWaiting";
import { useTabInView } from "../runtime/tab_in_view";
import { TwoFactorDialog } from "../identity/TwoFactorDialog";

/** However often money moves, the figures are read no more often than this, in ms. */
const REST_MS = 2000;

/** The head of a client's page, with what staff decide about the person. */
export function AdminClient({ member, me, roleRequests }: { member: Member; me: string; roleRequests: RoleRequest[] }) {
  const { value, lost } = useLive(member, () => call(getMember, undefined, { params: { id: member.id } }), ["person", "account"], { rest: REST_MS });
  useTabInView();
  const [asked, ask, close] = useAsked<ClientAction>();
  // The search leads here with what is to be decided. Said once: a reload asks for nothing.
  useEffect(() => {
    const address = new URL(location.href);
    const wanted = address.searchParams.get("do");
    if (wanted === null) return;
    address.searchParams.delete("do");
    window.history.replaceState(null, "", address);
    const able = member.id === me ? [] : actionsFor(member).map(({ action }) => action);
    const action = able.find((each) => each === wanted);
    if (action) ask(action);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <>
      {lost ? <LostNotice /> : null}
      {may("roles.read") ? <RoleWaiting userId={member.id} me={me} first={roleRequests} /> : null}
      <ClientHeader member={value} me={me} onAsk={ask} />
      {asked === "role" ? <RoleDialog user={value} onClose={close} /> : null}
      {asked === "factor" ? <TwoFactorDialog user={value} onClose={close} /> : null}
      {asked === "release" ? <ReleaseDialog user={value} onClose={close} /> : null}
      {asked === "country" ? <CountryDialog user={value} onClose={close} /> : null}
      {asked === "erase" ? <EraseDialog user={value} onClose={close} /> : null}
      {asked && isPerson(asked) ? <PersonDialog key={asked} action={asked} user={value} onClose={close} /> : null}
    </>
  );
}

const isPerson = (action: ClientAction): action is PersonAction => !["role", "factor", "release", "country", "erase"].includes(action);

export default island("AdminClient", AdminClient);
