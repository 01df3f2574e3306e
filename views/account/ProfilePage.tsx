import type { ReactNode } from "react";
import BalanceCard from "../../islands/BalanceCard";
import Security from "../../islands/Security";
import TransferForm from "../../islands/TransferForm";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import type { Referrals } from "../../src/funding/schema";
import type { Session, User } from "../../src/identity/schema";
import { dateText } from "../portal/instant";
import { Badge, statusTone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { ThemeToggle } from "../ui/ThemeToggle";
import { ReferralCard } from "./ReferralCard";
import { StatementList } from "./StatementList";

export type ProfileProps = {
  user: User;
  financials: Financials;
  accounts: TradingAccount[];
  sessions: Session[];
  referrals: Referrals;
  /** The referral link in full. */
  referralLink: string;
  /** The current month, "2026-11". */
  month: string;
};

/** A person's own page: who, how much, where signed in, whom invited, and every statement. */
export function ProfilePage({ user, financials, accounts, sessions, referrals, referralLink, month }: ProfileProps) {
  return (
    <div className="flex w-full flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-title font-semibold">Profile</h1>
        <ButtonLink href="/api/auth/logout" look="secondary">
          Sign out
        </ButtonLink>
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <PersonalInformation user={user} />
          <BalanceCard financials={financials} />
          <TransferForm balance={financials.accountBalance} accounts={accounts} />
          <StatementList accounts={accounts} month={month} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <ReferralCard referrals={referrals} link={referralLink} />
          <Security sessions={sessions} />
          <Panel title="Appearance" action={<ThemeToggle />}>
            <p className="text-soft">Light, dark, or as your device has it. The choice is kept on this device alone.</p>
          </Panel>
        </div>
      </div>
    </div>
  );
}

const REGISTRATION = { pending: "Awaiting approval", approved: "Approved", rejected: "Rejected" } as const;

const IDENTITY = { pending: "Pending", verified: "Verified", rejected: "Rejected" } as const;

const PersonalInformation = ({ user }: { user: User }) => (
  <Panel title="Personal Information">
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <Fact name="Full name">{`${user.firstName} ${user.lastName}`}</Fact>
      <Fact name="Email">{user.email}</Fact>
      <Fact name="User ID">
        <span className="font-mono text-table">{user.id}</span>
      </Fact>
      <Fact name="Member since">{dateText(user.createdAt)}</Fact>
      <Fact name="Registration">
        <Badge tone={statusTone(user.registrationStatus)}>{REGISTRATION[user.registrationStatus]}</Badge>
      </Fact>
      <Fact name="Identity check">
        <Badge tone={user.kycStatus === "verified" ? "default" : statusTone(user.kycStatus)}>{IDENTITY[user.kycStatus]}</Badge>
      </Fact>
    </dl>
  </Panel>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-table text-soft">{name}</dt>
    <dd className="font-medium [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
