import { listUsers, type User } from "../../src/identity/schema";
import { displayMoney } from "../../src/lib/money";
import { ACTION_VARIANTS, actionsFor, type PersonAction } from "../../views/identity/UserTable";
import { AppCard, AppCards, Decisions } from "../../views/admin/AppCard";
import { dateText } from "../../views/ui/instant";
import { Badge, statusTone } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { PersonDialog } from "../identity/PersonDialog";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";

type Props = { users: User[]; query: { q: string; status: "all" | User["accountStatus"]; limit: string }; me: string };

/** People as cards, with what staff decide about their standing. */
export function AdminAppUsers({ users, query, me }: Props) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }), ["person", "account"], { rest: 3000 });
  const [asked, ask, close] = useAsked<{ action: PersonAction; user: User }>();
  const [list, area] = useSteady(value, idOf);
  return (
    <div ref={area}>
      <Fresh list={list} floats />
      {lost ? <LostNotice /> : null}
      {list.rows.length === 0 ? (
        <EmptyState icon="person" title="No users found">
          Nobody matches this search and status.
        </EmptyState>
      ) : (
        <Marked list={list}>
          <AppCards label="Users">
            {list.rows.map((user) => (
              <UserCard key={user.id} user={user} own={user.id === me} onAsk={(action) => ask({ action, user })} />
            ))}
          </AppCards>
        </Marked>
      )}
      {asked ? <PersonDialog key={`${asked.action} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </div>
  );
}

function UserCard({ user, own, onAsk }: { user: User; own: boolean; onAsk: (action: PersonAction) => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <AppCard
      id={user.id}
      title={
        <a href={`/admin/users/${user.id}`} className="text-ink underline-offset-4 hover:underline">
          {name}
        </a>
      }
      note={user.email}
      mark={<Badge tone={statusTone(user.accountStatus)}>{user.accountStatus}</Badge>}
      facts={[
        ["Balance", displayMoney(user.accountBalance)],
        ["Registration", user.registrationStatus],
        ["KYC", user.kycStatus],
        ["Registered", dateText(user.createdAt)],
      ]}
    >
      {own ? (
        <p className="text-table text-soft">You</p>
      ) : (
        <Decisions>
          {actionsFor(user).map(({ action, label }) => (
            <Button key={action} variant={ACTION_VARIANTS[action]} size="small" aria-label={`${label} ${name}`} onClick={() => onAsk(action)}>
              {label}
            </Button>
          ))}
        </Decisions>
      )}
    </AppCard>
  );
}

export default island("AdminAppUsers", AdminAppUsers);
