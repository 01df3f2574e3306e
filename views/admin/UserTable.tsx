import { Copyable } from "../../islands/lib/Copyable";
import type { StandingDeed } from "../../islands/lib/StandingDialog";
import type { User } from "../../src/identity/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge, statusTone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { instantText } from "../portal/instant";
import { type AdminColumn, AdminTable, Two } from "./AdminTable";

type Props = { users: User[]; me: string; onAsk: (deed: StandingDeed, user: User) => void };

/** People, newest first. Nobody decides about oneself. */
export const UserTable = ({ users, me, onAsk }: Props) =>
  users.length === 0 ? (
    <EmptyState icon="person" title="No users found">
      Nobody matches this search and status.
    </EmptyState>
  ) : (
    <AdminTable caption="Users, newest first" columns={[...COLUMNS, actions(me, onAsk)]} rows={users} rowKey={({ id }) => id} />
  );

const COLUMNS: AdminColumn<User>[] = [
  {
    key: "name",
    title: "Name",
    lead: true,
    roomy: true,
    cell: ({ firstName, lastName, id }) => (
      <>
        <div className="font-medium [overflow-wrap:anywhere]">{`${firstName} ${lastName}`}</div>
        <Copyable text={id} what="ID" />
      </>
    ),
  },
  {
    key: "email",
    title: "Email",
    roomy: true,
    cell: ({ email, createdAt }) => <Two first={email} second={<>Registered {instantText(createdAt).slice(0, 16)} UTC</>} />,
  },
  { key: "account", title: "Account status", cell: (user) => <Standing user={user} /> },
  {
    key: "kyc",
    title: "KYC status",
    cell: ({ kycStatus }) => <Badge tone={kycStatus === "verified" ? "default" : statusTone(kycStatus)}>{kycStatus}</Badge>,
  },
  { key: "role", title: "Role", cell: ({ role }) => (role === "admin" ? <strong className="font-semibold">admin</strong> : role) },
  {
    key: "balance",
    title: "Balance",
    numeric: true,
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
  cell: (user) =>
    user.id === me ? (
      <span className="text-soft">You</span>
    ) : (
      <span className="js-only inline-flex flex-wrap justify-end gap-2">
        {deedsFor(user).map(({ deed, label }) => (
          <Button
            key={deed}
            look={deed === "activate" ? "secondary" : deed === "ban" ? "quiet" : "danger"}
            size="small"
            aria-label={`${label} ${user.firstName} ${user.lastName}`}
            onClick={() => onAsk(deed, user)}
          >
            {label}
          </Button>
        ))}
      </span>
    ),
});

const LABELS = { suspend: "Suspend", activate: "Activate", ban: "Ban" } as const;

function deedsFor({ accountStatus }: User): { deed: StandingDeed; label: string }[] {
  const deeds: StandingDeed[] = accountStatus === "active" ? ["suspend", "ban"] : accountStatus === "suspended" ? ["activate", "ban"] : ["activate"];
  return deeds.map((deed) => ({ deed, label: LABELS[deed] }));
}
