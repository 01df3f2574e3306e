import { getMember, type Member } from "../src/identity/schema";
import { type ClientDeed, ClientHeader } from "../views/admin/ClientHeader";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { PersonDialog } from "./lib/PersonDialog";
import { RoleDialog } from "./lib/RoleDialog";
import { useTabInView } from "./lib/tab_in_view";
import { TwoFactorDialog } from "./lib/TwoFactorDialog";

/** However often money moves, the figures are read no more often than this, in ms. */
const REST_MS = 2000;

/** The head of a client's page, with what staff decide about the person. */
export function AdminClient({ member, me }: { member: Member; me: string }) {
  const { value, lost } = useLive(member, () => call(getMember, undefined, { params: { id: member.id } }), ["person", "account"], { rest: REST_MS });
  useTabInView();
  const [asked, ask, close] = useAsked<ClientDeed>();
  return (
    <>
      {lost ? <LostNotice /> : null}
      <ClientHeader member={value} me={me} onAsk={ask} />
      {asked === "role" ? <RoleDialog user={value} onClose={close} /> : null}
      {asked === "factor" ? <TwoFactorDialog user={value} onClose={close} /> : null}
      {asked && asked !== "role" && asked !== "factor" ? <PersonDialog key={asked} deed={asked} user={value} onClose={close} /> : null}
    </>
  );
}

export default island("AdminClient", AdminClient);
