import { listUsers, type User } from "../src/identity/schema";
import { displayMoney } from "../src/lib/money";
import { DEED_LOOKS, deedsFor, type PersonDeed } from "../views/admin/UserTable";
import { AppCard, AppCards, Decisions } from "../views/admin_app/AppCard";
import { dateText } from "../views/portal/instant";
import { Badge, statusTone } from "../views/ui/Badge";
import { Button } from "../views/ui/Button";
import { EmptyState } from "../views/ui/States";
import { PersonDialog } from "./lib/PersonDialog";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";

type Props = { users: User[]; query: { q: string; status: "all" | User["accountStatus"]; limit: string }; me: string };

/** People as cards, with what staff decide about their standing. */
export function AdminAppUsers({ users, query, me }: Props) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }), ["person", "account"], { rest: 3000 });
  const [asked, ask, close] = useAsked<{ deed: PersonDeed; user: User }>();
  return (
    <>
      {lost ? <LostNotice /> : null}
      {value.length === 0 ? (
        <EmptyState icon="person" title="No users found">
          Nobody matches this search and status.
        </EmptyState>
      ) : (
        <AppCards label="Users">
          {value.map((user) => (
            <UserCard key={user.id} user={user} own={user.id === me} onAsk={(deed) => ask({ deed, user })} />
          ))}
        </AppCards>
      )}
      {asked ? <PersonDialog key={`${asked.deed} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </>
  );
}

function UserCard({ user, own, onAsk }: { user: User; own: boolean; onAsk: (deed: PersonDeed) => void }) {
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
          {deedsFor(user).map(({ deed, label }) => (
            <Button key={deed} look={DEED_LOOKS[deed]} size="small" aria-label={`${label} ${name}`} onClick={() => onAsk(deed)}>
              {label}
            </Button>
          ))}
        </Decisions>
      )}
    </AppCard>
  );
}

export default island("AdminAppUsers", AdminAppUsers);
