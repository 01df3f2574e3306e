import { getMember, type Member } from "../../src/identity/schema";
import { ProfileFacts } from "../../views/admin/ClientTables";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useLive } from "../runtime/live_list";

/** The facts of a client's profile, as they are after what staff decide above them. */
export function AdminClientFacts({ member }: { member: Member }) {
  const { value } = useLive(member, () => call(getMember, undefined, { params: { id: member.id } }), ["person"]);
  return <ProfileFacts member={value} />;
}

export default island("AdminClientFacts", AdminClientFacts);
