import CryptoTable from "../../islands/market/CryptoTable";
import HomeActivity from "../../islands/portal/HomeActivity";
import HomeFigures from "../../islands/portal/HomeFigures";
import Standing from "../../islands/identity/Standing";
import ReferralLink from "../../islands/funding/ReferralLink";
import type { AccountType, TradingAccount } from "../../src/accounts/schema";
import { bonusTerms } from "../funding/promotion_words";
import type { Promotion } from "../../src/funding/schema_history";
import { displayMoney } from "../../src/lib/money";
import type { MarketItem } from "../../src/market/schema";
import type { Overview } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import { ButtonLink } from "../ui/Button";
import { Icon, type IconName } from "../ui/Icon";
import { SimulatedLabel } from "../ui/Price";
import { TabPanel, Tabs } from "../ui/Tabs";
import { Packages, Promotions, Statistics } from "./HomeOffers";

type HomeProps = {
  overview: Overview;
  /** The site is no live one: its claims are samples. */
  demonstration: boolean;
  registrationPending: boolean;
  /** All of the person's; the one last traded on first. */
  accounts: TradingAccount[];
  positions: Position[];
  /** The account that was chosen, by its id. */
  chosen: string | null;
  coins: MarketItem[];
  simulated: boolean;
  types: AccountType[];
  promotions: Promotion[];
  /** A first deposit was approved already. */
  deposited: boolean;
  /** The referral link in full. */
  referralLink: string;
};

/** Where a signed-in person begins: how things stand, where to go, the coins, the packages. */
export function HomePage(props: HomeProps) {
  const { overview, accounts, positions, chosen, registrationPending } = props;
  return (
    <div className="mx-auto flex w-full max-w-[90rem] flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-serif text-section [overflow-wrap:anywhere]">Welcome back, {overview.financials.firstName || "Trader"}</h1>
          <p className="text-soft">The account you trade on, the market at this moment, and what you did last.</p>
        </div>
        <QuickActions />
      </div>
      {registrationPending ? (
        <Standing part="notice" registration="pending" words="Demo trading works now, with virtual money at the same prices. Live trading waits for it." />
      ) : null}
      <HomeFigures {...{ overview, accounts, positions, chosen }} />
      <Shortcuts />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <LiveCrypto {...props} />
        <div className="min-w-0 max-lg:order-first">
          <HomeActivity overview={overview} />
        </div>
      </div>
      <Promotions promotions={props.promotions} deposited={props.deposited} />
      <Registration {...props} />
      <Packages types={props.types} />
      <Statistics sample={props.demonstration} />
    </div>
  );
}

const QuickActions = () => (
  <nav aria-label="Quick actions" className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto">
    <ButtonLink href="/traders-portal" size="large" className="max-sm:col-span-2 sm:order-3">
      <Icon name="candles" />
      New Trade
    </ButtonLink>
    <ButtonLink href="/deposit" variant="secondary" size="large" className="!px-2 max-sm:!text-product sm:!px-6">
      <Icon name="plus" className="size-5 max-sm:hidden" />
      Make a Deposit
    </ButtonLink>
    <ButtonLink href="/profile#balance" variant="secondary" size="large" className="!px-2 max-sm:!text-product sm:!px-6">
      <Icon name="wallet" className="size-5 max-sm:hidden" />
      Request Withdrawal
    </ButtonLink>
  </nav>
);

const SHORTCUTS: { href: string; icon: IconName; title: string; text: string }[] = [
  { href: "/dashboard", icon: "layers", title: "Dashboard", text: "Balances, requests and every movement of money" },
  { href: "/traders-portal", icon: "candles", title: "Traders Portal", text: "Chart, order panel and positions on one screen" },
  { href: "/trading", icon: "trend", title: "Trading", text: "The screener, and several charts side by side" },
  { href: "/accounts", icon: "wallet", title: "Accounts", text: "Live and demo, open one more, set a demo back" },
  { href: "/profile", icon: "person", title: "Profile", text: "Identity, sessions, notices and statements" },
  { href: "/support", icon: "lifebuoy", title: "Support", text: "Your tickets, and a way to reach us" },
];

const Shortcuts = () => (
  <ul aria-label="Shortcuts" className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
    {SHORTCUTS.map(({ href, icon, title, text }) => (
      <li key={href} className="relative flex flex-col gap-1 rounded-card border border-line bg-surface p-4 transition-colors duration-150 hover:border-accent">
        <Icon name={icon} className="size-6 text-accent" />
        <a href={href} className="mt-1 font-semibold text-ink no-underline before:absolute before:inset-0 before:content-empty">
          {title}
        </a>
        <p className="text-table text-soft max-sm:hidden">{text}</p>
      </li>
    ))}
  </ul>
);

const CRYPTO = [{ id: "crypto", label: "Cryptocurrency" }];

const LiveCrypto = ({ coins, simulated }: HomeProps) => (
  <section aria-labelledby="live-crypto" className="min-w-0 rounded-card border border-line bg-surface">
    <div className="flex flex-wrap items-center justify-between gap-x-4 px-4 pt-3">
      <h2 id="live-crypto" className="text-[0.9375rem] font-semibold">
        Live market data
      </h2>
      {simulated ? <SimulatedLabel /> : null}
    </div>
    <div className="px-4">
      <Tabs label="Live market data" tabs={CRYPTO} current="crypto" path="/" />
    </div>
    <TabPanel id="crypto" className="!py-0">
      <CryptoTable items={coins} />
    </TabPanel>
    <p className="border-t border-line px-4 py-2 text-note text-soft">
      In this table High shows the ask and Low the bid. It follows the market, and is refreshed every 5 seconds besides. The day's true range is in the{" "}
      <a href="/trading" className="text-accent underline underline-offset-2">
        screener
      </a>{" "}
      and on the charts.
    </p>
  </section>
);

/** The invitation of others; the referral promotion says what it is worth. */
function Registration({ promotions, referralLink }: HomeProps) {
  const bonus = promotions.find(({ id }) => id === "referral_bonus");
  return (
    <section aria-labelledby="bring" className="grid items-center gap-6 rounded-card border border-line bg-surface p-4 md:grid-cols-2 md:p-6">
      <div>
        <h2 id="bring" className="font-serif text-heading">
          Know somebody who should trade?
        </h2>
        <p className="mt-2 text-soft">
          Registering takes a minute and opens a demo account with $10,000.
          {bonus
            ? ` When the first deposit of ${displayMoney(bonus.minimumDeposit)} or more of a person you brought is approved, you receive ${displayMoney(bonus.amount)}.${bonusTerms(bonus)}`
            : ""}
        </p>
      </div>
      <ReferralLink link={referralLink} />
    </section>
  );
}
