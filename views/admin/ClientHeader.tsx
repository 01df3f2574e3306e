import type { Member } from "../../src/identity/schema";
import { may } from "../../src/lib/may";
import { displayMoney } from "../../src/lib/money";
import { instantText } from "../ui/instant";
import { Badge, statusTone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Profit } from "../accounts/Profit";
import { actionsFor, type PersonAction } from "../identity/UserTable";

/** What is decided on a client's page alone, beside what the list of people offers too. */
export type ClientAction = PersonAction | "role" | "factor" | "release" | "country" | "erase";
type Props = { member: Member; me: string; onAsk: (action: ClientAction) => void };

/** Who it is, how the person stands, what the person has, and what can be decided. */
export function ClientHeader({ member, me, onAsk }: Props) {
  const { role, accountStatus, kycStatus, registrationStatus, suspendedUntil, suspensionReason } = member;
  const until = accountStatus === "suspended" && suspendedUntil ? ` until ${instantText(suspendedUntil).slice(0, 16)} UTC` : "";
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-heading font-semibold [overflow-wrap:anywhere]">{`${member.firstName} ${member.lastName}`}</h1>
          <p className="text-soft [overflow-wrap:anywhere]">{member.email}</p>
          <div className="mt-1.5 flex flex-wrap gap-1.5">
            <Badge tone={statusTone(accountStatus)}>{accountStatus}</Badge>
            <Badge tone={registrationStatus === "pending" ? "warning" : statusTone(registrationStatus)}>registration {registrationStatus}</Badge>
            <Badge tone={kycStatus === "verified" ? "default" : statusTone(kycStatus)}>KYC {kycStatus}</Badge>
            {member.frozenAt === null ? null : <Badge tone="destructive">frozen by its owner</Badge>}
            {role === "admin" ? <Badge tone="warning">{member.staffRole === "owner" ? "administrator" : `administrator, ${member.staffRole}`}</Badge> : null}
          </div>
          {accountStatus !== "active" && suspensionReason ? (
            <p className="mt-1.5 text-table text-soft [overflow-wrap:anywhere]">
              {accountStatus === "banned" ? "Banned" : `Suspended${until}`}: {suspensionReason}
            </p>
          ) : null}
        </div>
        {member.id === me ? (
          <p className="text-table text-soft">This is you: another administrator decides.</p>
        ) : (
          <div className="js-only flex flex-wrap gap-2">
            {actionsFor(member).map(({ action, label }) => (
              <Button key={action} size="small" variant="secondary" onClick={() => onAsk(action)}>
                {action === "kyc" ? "KYC decision" : label}
              </Button>
            ))}
            {may("roles.give") ? (
              <Button size="small" variant="secondary" onClick={() => onAsk("role")}>
                {role === "admin" ? "Change role" : "Make administrator"}
              </Button>
            ) : null}
            {role === "user" && may("kyc.decide") ? (
              <Button size="small" variant="secondary" onClick={() => onAsk("country")}>
                {member.country ? "Change country" : "Note country"}
              </Button>
            ) : null}
            {role === "user" && may("people.erase") ? (
              <Button size="small" variant="secondary" onClick={() => onAsk("erase")}>
                Erase
              </Button>
            ) : null}
            {member.frozenAt === null || !may("people.secure") ? null : (
              <Button size="small" variant="secondary" onClick={() => onAsk("release")}>
                Release
              </Button>
            )}
            {member.twoFactor && may("people.secure") ? (
              <Button size="small" variant="secondary" onClick={() => onAsk("factor")}>
                Reset two-factor
              </Button>
            ) : null}
          </div>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name="Balance">{displayMoney(member.accountBalance)}</Figure>
        <Figure name="Trading balance">{displayMoney(member.tradingBalance)}</Figure>
        <Figure name="Total profit">
          <Profit value={member.totalProfit} />
        </Figure>
      </dl>
    </div>
  );
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt className="text-note text-soft">{name}</dt>
    <dd className="text-base font-semibold tabular-nums">{children}</dd>
  </div>
);
