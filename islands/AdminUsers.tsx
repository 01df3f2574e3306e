import { listUsers, type User, type UserOrder } from "../src/identity/schema";
import { nextOf } from "../src/lib/cursor";
import { panelTab } from "../views/admin/address";
import { Pager } from "../views/admin/Filters";
import { type PersonDeed, UserTable } from "../views/admin/UserTable";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { PersonDialog } from "./lib/PersonDialog";

export type UsersProps = {
  users: User[];
  query: { q: string; status: "all" | User["accountStatus"]; sort: UserOrder; limit: string; cursor?: string };
  me: string;
};

/** Balances move with every deal somewhere: the list is not read for each. */
const REST_MS = 3000;

/** The people of a page, and what staff decide about their standing. */
export function AdminUsers({ users, query, me }: UsersProps) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }), ["person", "account"], { rest: REST_MS, frequent: ["account"] });
  const [asked, ask, close] = useAsked<{ deed: PersonDeed; user: User }>();
  return (
    <>
      {lost ? <LostNotice /> : null}
      <UserTable users={value} query={query} me={me} onAsk={(deed, user) => ask({ deed, user })} />
      <Pager at={panelTab("users")} query={query} next={nextOf(value, query.limit)} />
      {asked ? <PersonDialog key={`${asked.deed} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </>
  );
}

export default island("AdminUsers", AdminUsers);
