import { listUsers, type User, type UserOrder } from "../../src/identity/schema";
import { nextOf } from "../../src/lib/cursor";
import { panelTab } from "../../views/ui/staff/address";
import { Pager } from "../../views/ui/staff/Filters";
import { type PersonAction, UserTable } from "../../views/identity/UserTable";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { PersonDialog } from "./PersonDialog";

export type UsersProps = {
  users: User[];
  query: {
    q: string;
    status: "all" | User["accountStatus"];
    kyc: "all" | User["kycStatus"];
    from: string;
    to: string;
    sort: UserOrder;
    limit: string;
    cursor?: string;
  };
  me: string;
};

/** Balances move with every deal somewhere: the list is not read for each. */
const REST_MS = 3000;

/** The people of a page, and what staff decide about their standing. */
export function AdminUsers({ users, query, me }: UsersProps) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }), ["person", "account"], { rest: REST_MS, frequent: ["account"] });
  const [asked, ask, close] = useAsked<{ action: PersonAction; user: User }>();
  const [list, area] = useSteady(value, idOf);
  return (
    <div ref={area}>
      {lost ? <LostNotice /> : null}
      <Fresh list={list} floats />
      <Marked list={list}>
        <UserTable users={list.rows} query={query} me={me} onAsk={(action, user) => ask({ action, user })} />
      </Marked>
      <Pager at={panelTab("users")} query={query} next={nextOf(value, query.limit)} />
      {asked ? <PersonDialog key={`${asked.action} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </div>
  );
}

export default island("AdminUsers", AdminUsers);
