import { useState } from "react";
import { listUsers, type User } from "../../src/identity/schema";
import { displayMoney } from "../../src/lib/money";
import { ACTION_VARIANTS, actionsFor, swipesOf, type PersonAction } from "../../views/identity/UserTable";
import { Decisions } from "../../views/admin/AppCard";
import { AppRow, AppRows } from "../../views/admin/AppRow";
import { dateText } from "../../views/ui/instant";
import { Badge, statusTone } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { PersonDialog } from "../identity/PersonDialog";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { EvidenceDialog } from "../ui/EvidencePanel";
import { Swipe } from "../ui/Swipe";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";

type Props = { users: User[]; query: { q: string; status: "all" | User["accountStatus"]; limit: string }; me: string };

/** People as cards, with what staff decide about their standing. */
export function AdminAppUsers({ users, query, me }: Props) {
  const { value, lost } = useLive(users, () => call(listUsers, undefined, { query }), ["person", "account"], { rest: 3000 });
  const [asked, ask, close] = useAsked<{ action: PersonAction; user: User }>();
  const [list, area] = useSteady(value, idOf);
  const [shown, setShown] = useState<User | null>(null);
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
          <AppRows label="Users">
            {list.rows.map((user) => (
              <UserCard
                key={user.id}
                user={user}
                own={user.id === me}
                isOpen={list.open.includes(user)}
                onAsk={(action) => ask({ action, user })}
                onEvidence={() => setShown(user)}
              />
            ))}
          </AppRows>
        </Marked>
      )}
      {shown ? (
        <EvidenceDialog key={shown.id} kind="registration" id={shown.id} title={`${shown.firstName} ${shown.lastName}`} onClose={() => setShown(null)}>
          <p className="text-table text-soft [overflow-wrap:anywhere]">{shown.email}</p>
        </EvidenceDialog>
      ) : null}
      {asked ? <PersonDialog key={`${asked.action} ${asked.user.id}`} {...asked} onClose={close} /> : null}
    </div>
  );
}

type CardProps = { user: User; own: boolean; isOpen: boolean; onAsk: (action: PersonAction) => void; onEvidence: () => void };

function UserCard({ user, own, isOpen, onAsk, onEvidence }: CardProps) {
  const name = `${user.firstName} ${user.lastName}`;
  const actions = actionsFor(user);
  const row = (
    <AppRow
      id={user.id}
      title={
        <a href={`/admin/users/${user.id}`} className="text-ink underline-offset-4 hover:underline">
          {name}
        </a>
      }
      note={user.email}
      mark={<Badge tone={statusTone(user.accountStatus)}>{user.accountStatus}</Badge>}
      line={`${displayMoney(user.accountBalance)} · ${user.registrationStatus}, KYC ${user.kycStatus} · since ${dateText(user.createdAt)}`}
    >
      <Decisions>
        <Button variant="secondary" size="small" className={TIGHT} data-opens="" aria-label={`Evidence for ${name}`} onClick={onEvidence}>
          Evidence
        </Button>
        {own ? (
          <span className="self-center text-note text-soft">You</span>
        ) : (
          actions.map(({ action, label }) => (
            <Button key={action} variant={ACTION_VARIANTS[action]} size="small" className={TIGHT} aria-label={`${label} ${name}`} onClick={() => onAsk(action)}>
              {label}
            </Button>
          ))
        )}
      </Decisions>
    </AppRow>
  );
  const ways = own || !isOpen ? null : swipesOf(user, onAsk);
  return <li data-row={user.id}>{ways ? <Swipe {...ways}>{row}</Swipe> : row}</li>;
}

/** Four stand side by side on the smallest phone. */
const TIGHT = "px-1";

export default island("AdminAppUsers", AdminAppUsers);
