import type { Permission } from "../../src/lib/permissions";
import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import type { Way, Ways } from "../ui/staff/swiping";
import type { StandingAction } from "../../islands/identity/StandingDialog";
import type { User } from "../../src/identity/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge, statusTone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { instantText } from "../ui/instant";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";
import { type ListQuery, panelTab } from "../ui/staff/address";

export type PersonAction = StandingAction | "kyc";
type Props = { users: User[]; query: ListQuery; me: string; onAsk: (action: PersonAction, user: User) => void };

/** People in the order asked for. Nobody decides about oneself. */
export const UserTable = ({ users, query, me, onAsk }: Props) =>
  users.length === 0 ? (
    <EmptyState icon="person" title="No users found">
      Nobody matches this search and status.
    </EmptyState>
  ) : (
    <AdminTable
      caption="Users"
      swipe={(user) => (user.id === me ? null : swipesOf(user, onAsk))}
      sorting={{ at: panelTab("users"), query }}
      columns={[...COLUMNS, actions(me, onAsk)]}
      rows={users}
      rowKey={({ id }) => id}
    />
  );

const COLUMNS: AdminColumn<User>[] = [
  {
    key: "name",
    title: "Name",
    sort: "name",
    lead: true,
    roomy: true,
    cell: ({ firstName, lastName, id }) => (
      <div className="line">
        <a
          href={`/admin/users/${id}`}
          data-opens=""
          className="inline-block min-h-6 font-medium text-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline lg:min-h-5"
        >{`${firstName} ${lastName}`}</a>
      </div>
    ),
  },
  { key: "id", title: "ID", width: "lg:w-[12%]", cell: ({ id }) => <Copyable text={id} what="ID" /> },
  {
    key: "email",
    title: "Email",
    sort: "email",
    roomy: true,
    cell: ({ email }) => <div className="line">{email}</div>,
  },
  {
    key: "registered",
    title: "Registered (UTC)",
    sort: "created",
    width: "lg:w-[10.5%]",
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {instantText(createdAt).slice(0, 16)}
      </time>
    ),
  },
  { key: "account", title: "Account status", sort: "status", width: "lg:w-[11.5%]", cell: (user) => <Standing user={user} /> },
  {
    key: "kyc",
    title: "KYC status",
    sort: "kyc",
    width: "lg:w-[8%]",
    cell: ({ kycStatus }) => <Badge tone={kycStatus === "verified" ? "default" : statusTone(kycStatus)}>{kycStatus}</Badge>,
  },
  {
    key: "role",
    title: "Role",
    sort: "role",
    width: "lg:w-[5%]",
    cell: ({ role, staffRole }) => (role === "admin" ? <strong className="font-semibold">{staffRole === "owner" ? "admin" : staffRole}</strong> : role),
  },
  {
    key: "balance",
    title: "Balance",
    sort: "balance",
    numeric: true,
    width: "lg:w-[10.5%]",
    cell: ({ accountBalance, tradingBalance }) => (
      <Two first={<span className="font-medium">{displayMoney(accountBalance)}</span>} second={<>{displayMoney(tradingBalance)} trading</>} />
    ),
  },
];

function Standing({ user: { accountStatus, suspendedUntil, registrationStatus } }: { user: User }) {
  const until = accountStatus === "suspended" && suspendedUntil ? `until ${instantText(suspendedUntil).slice(0, 16)} UTC` : null;
  const registration = registrationStatus === "approved" ? null : `registration ${registrationStatus}`;
  return <Two first={<Badge tone={statusTone(accountStatus)}>{accountStatus}</Badge>} second={[until, registration].filter(Boolean).join(", ")} />;
}

const actions = (me: string, onAsk: Props["onAsk"]): AdminColumn<User> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  width: "lg:w-56",
  cell: (user) =>
    user.id === me ? (
      <span className="text-soft">You</span>
    ) : (
      <span className="js-only inline-flex justify-end gap-1 max-lg:flex-wrap">
        {actionsFor(user).map(({ action, label }) => (
          <Button
            key={KEYS[action]}
            variant={ACTION_VARIANTS[action]}
            size="small"
            aria-label={`${label} ${user.firstName} ${user.lastName}`}
            onClick={() => onAsk(action, user)}
          >
            {label}
          </Button>
        ))}
      </span>
    ),
});

export const ACTION_VARIANTS = { suspend: "quiet", activate: "quiet", ban: "quiet", kyc: "quiet" } as const;
/** Suspending becomes activating in the same place, so that the keyboard stays there. */
const KEYS = { suspend: "standing", activate: "standing", ban: "ban", kyc: "kyc" } as const;
const LABELS = { suspend: "Suspend", activate: "Activate", ban: "Ban", kyc: "KYC" } as const;

const NEEDS: Record<PersonAction, Permission> = { suspend: "people.standing", activate: "people.standing", ban: "people.standing", kyc: "kyc.decide" };

/** What the page's reader can decide about a person who stands like this. */
export function actionsFor({ accountStatus }: User): { action: PersonAction; label: string }[] {
  const standing: StandingAction[] = accountStatus === "active" ? ["suspend", "ban"] : accountStatus === "suspended" ? ["activate", "ban"] : ["activate"];
  return [...standing, "kyc" as const].filter((action) => may(NEEDS[action])).map((action) => ({ action, label: LABELS[action] }));
}

/** A finger's two ways are the two decisions that are nearest for somebody who stands like this; null where the reader decides nothing. */
export function swipesOf(user: User, onAsk: (action: PersonAction, user: User) => void): Ways | null {
  const can = actionsFor(user);
  if (can.length === 0) return null;
  const way = (at: number): Way => {
    const { action, label } = can.at(at) ?? { action: "kyc", label: LABELS.kyc };
    return { label, onSwipe: () => onAsk(action, user) };
  };
  const activates = can[0]?.action === "activate";
  return { right: way(activates ? 0 : -1), left: way(activates ? 1 : 0) };
}
