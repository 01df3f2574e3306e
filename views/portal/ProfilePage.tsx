import type { ReactNode } from "react";
import BalanceCard from "../../islands/funding/BalanceCard";
import ClosingChoice from "../../islands/trading/ClosingChoice";
import NoticeChoices from "../../islands/identity/NoticeChoices";
import PushSwitch from "../../islands/notifications/PushSwitch";
import PageLoader from "../../islands/accounts/PageLoader";
import Security from "../../islands/identity/Security";
import TransferForm from "../../islands/funding/TransferForm";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import type { BonusState, Referrals } from "../../src/funding/schema";
import type { Session, User } from "../../src/identity/schema";
import type { NoticeChoices as Notices } from "../../src/identity/schema_notices";
import type { TwoFactorState } from "../../src/identity/schema_two_factor";
import { dateText } from "../ui/instant";
import { BonusNote } from "../funding/BonusNote";
import { ButtonLink } from "../ui/Button";
import KeepCheckpoint from "../../islands/notifications/KeepCheckpoint";
import type { Keeping } from "../../src/notifications/schema_keeping";
import { Panel } from "../ui/Card";
import { Notice } from "../ui/States";
import Standing from "../../islands/identity/Standing";
import { ReferralCard } from "../funding/ReferralCard";
import { StatementList } from "../funding/StatementList";
import { ThemeChoice } from "./ThemeChoice";
import { EmailCard } from "../identity/EmailPage";
import { TwoFactorCard } from "../identity/TwoFactorCard";

type ProfileProps = {
  /** How the public log's checkpoints are kept. */
  keeping: Keeping;
  user: User;
  financials: Financials;
  accounts: TradingAccount[];
  sessions: Session[];
  twoFactor: TwoFactorState;
  notices: Notices;
  referrals: Referrals;
  /** The referral link in full. */
  referralLink: string;
  /** The current month, "2026-11". */
  month: string;
  bonus: BonusState;
};

/** A person's own page: who, how much, where signed in, whom invited, and every statement. */
export function ProfilePage({ user, financials, accounts, sessions, twoFactor, notices, referrals, referralLink, month, bonus, keeping }: ProfileProps) {
  return (
    <div className="flex w-full flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-title font-semibold">Profile</h1>
        <ButtonLink href="/api/auth/logout" variant="secondary">
          Sign out
        </ButtonLink>
      </div>
      <noscript>
        <Notice>Without JavaScript this page can be read. Changing something on it needs scripts; a deposit, a ticket and two-factor sign-in do not.</Notice>
      </noscript>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <PersonalInformation user={user} />
          <div id="balance" className="scroll-mt-20">
            <BalanceCard financials={financials} />
          </div>
          <BonusNote bonus={bonus} />
          <TransferForm balance={financials.accountBalance} accounts={accounts} />
          <StatementList accounts={accounts} month={month} since={user.createdAt} />
          <ReferralCard referrals={referrals} link={referralLink} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Standing part="identity" kyc={user.kycStatus} />
          <EmailCard email={user.email} verified={user.isEmailVerified} />
          <Security sessions={sessions} />
          <TwoFactorCard twoFactor={twoFactor} />
          <NoticeChoices choices={notices} />
          <PushSwitch person={user.id} />
          <KeepCheckpoint first={keeping} />
          <ClosingChoice />
          <ThemeChoice />
        </div>
      </div>
    </div>
  );
}

/** Stands while the profile is not there yet. */
export const ProfileLoading = () => (
  <div className="flex w-full flex-col gap-6 px-4 py-6 md:px-6">
    <h1 className="text-title font-semibold">Profile</h1>
    <PageLoader words="Loading profile..." cards={6} />
  </div>
);

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
        <Standing part="registration" registration={user.registrationStatus} />
      </Fact>
    </dl>
    <p className="mt-4">
      <a href="/my-data" className="inline-flex min-h-11 items-center text-accent underline underline-offset-4">
        Your data, and closing the account
      </a>
    </p>
  </Panel>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-table text-soft">{name}</dt>
    <dd className="font-medium [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
