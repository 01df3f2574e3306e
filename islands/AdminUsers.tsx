import { useState } from "react";
import { listUsers, type User } from "../src/identity/schema";
import { UserTable } from "../views/admin/UserTable";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { StandingDialog, type StandingDeed } from "./lib/StandingDialog";

export type UsersProps = { users: User[]; query: { q: string; status: "all" | User["accountStatus"]; limit: string; cursor?: string }; me: string };

/** The people of a page, and what staff decide about their standing. */
export function AdminUsers({ users, query, me }: UsersProps) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }));
  const [asked, setAsked] = useState<{ deed: StandingDeed; user: User } | null>(null);
  const close = () => {
    setAsked(null);
    void lookAgain();
  };
  return (
    <>
      {lost ? <LostNotice /> : null}
      <UserTable users={value} me={me} onAsk={(deed, user) => setAsked({ deed, user })} />
      {asked ? <StandingDialog key={`${asked.deed} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </>
  );
}

export default island("AdminUsers", AdminUsers);
