import { SampleMark } from "../ui/SampleMark";
import type { AccountType } from "../../src/accounts/schema";
import type { Promotion } from "../../src/funding/schema_history";
import { displayMoney } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import { bonusTerms } from "../funding/promotion_words";
import { classes } from "../ui/classes";
import { PageIcon, type PageIconName } from "../ui/PageIcon";

type Promo = { icon: PageIconName; title: string; text: string; href: string; action: string };

/** The offers of today: the promotions that approvals pay, and to whom. Bonuses are for a first deposit alone. */
function promosOf(promotions: Promotion[], deposited: boolean): Promo[] {
  const row = (id: Promotion["id"]) => promotions.find((each) => each.id === id);
  const [deposit, bitcoin, referral] = [row("deposit_bonus"), row("bitcoin_bonus"), row("referral_bonus")];
  const promos: (Promo | false | undefined)[] = [
    !deposited &&
      deposit && {
        icon: "gift",
        title: "Deposit bonus",
        text: `A first deposit of ${dollars(deposit.minimumDeposit)} or more earns ${dollars(deposit.amount)} on top.${bonusTerms(deposit)}`,
        href: "/deposit",
        action: "Make a deposit",
      },
    !deposited &&
      bitcoin && {
        icon: "bolt",
        title: "Bitcoin sign-up bonus",
        text: `A first deposit of ${dollars(bitcoin.minimumDeposit)} or more in Bitcoin earns another ${dollars(bitcoin.amount)}.${bonusTerms(bitcoin)}`,
        href: "/deposit",
        action: "Deposit Bitcoin",
      },
    referral && {
      icon: "person",
      title: "Referral bonus",
      text: `${dollars(referral.amount)} for each person who registers with your code, when their first deposit of ${dollars(referral.minimumDeposit)} or more is approved.${bonusTerms(referral)}`,
      href: "/profile#referrals",
      action: "Your referrals",
    },
    {
      icon: "book",
      title: "Practise without risk",
      text: "A demo account fills, slips and charges spread as a live one does. Set it back to $10,000 whenever you like.",
      href: "/accounts",
      action: "Your demo accounts",
    },
    {
      icon: "trend",
      title: "Know how you trade",
      text: "Win rate, profit factor and the curve of your results, from what the ledger booked.",
      href: "/analytics",
      action: "Your performance",
    },
  ];
  return promos.filter((each) => !!each).slice(0, 3);
}

/** `deposited`: a first deposit was approved already. */
export const Promotions = ({ promotions, deposited }: { promotions: Promotion[]; deposited: boolean }) => (
  <section aria-label="Promotions">
    <ul className="grid gap-4 md:grid-cols-3">
      {promosOf(promotions, deposited).map(({ icon, title, text, href, action }) => (
        <li key={title} className="relative flex flex-col gap-2 rounded-card border border-line bg-accent-soft p-4 md:p-5">
          <PageIcon name={icon} className="size-6 text-accent" />
          <h2 className="text-base font-semibold">{title}</h2>
          <p>{text}</p>
          <a
            href={href}
            className="mt-auto inline-flex min-h-11 items-center gap-1.5 font-medium text-accent no-underline before:absolute before:inset-0 before:content-empty hover:underline"
          >
            {action}
            <PageIcon name="arrowRight" className="size-4" />
          </a>
        </li>
      ))}
    </ul>
  </section>
);

/** "$300", as the tier's row has it. */
const dollars = (amount: string) => displayMoney(amount).replace(/\.00$/, "");
const POPULAR = "gold";

/** The tiers as they are enforced. The whole card leads to the account's opening. */
export const Packages = ({ types }: { types: AccountType[] }) => (
  <section aria-labelledby="packages">
    <h2 id="packages" className="font-serif text-heading">
      Account packages
    </h2>
    <p className="mb-4 mt-1 text-soft">Spreads narrow as the tier rises. Leverage is 'up to': the ratio of your own account is what counts.</p>
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-5 lg:gap-4">
      {types.map(({ id, name, minimumDeposit, spreadsFrom, leverage, features }) => (
        <li
          key={id}
          className={classes(
            "relative flex flex-col rounded-card border bg-surface p-4 transition-colors duration-150 hover:border-accent",
            id === POPULAR ? "border-accent" : "border-line",
          )}
        >
          <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
            <h3 className="text-base font-semibold">
              <a href={`/accounts/create?type=${id}`} className="text-ink no-underline before:absolute before:inset-0 before:content-empty">
                {name}
              </a>
            </h3>
            {id === POPULAR ? (
              <span className="whitespace-nowrap rounded-full bg-accent-soft px-2 py-0.5 text-note font-medium text-accent">Most popular</span>
            ) : null}
          </div>
          <p className="mt-2">
            <span className="block text-[1.5rem] font-semibold leading-8 tracking-[-0.015em] tabular-nums">{dollars(minimumDeposit)}</span>
            <span className="text-table text-soft">minimum deposit</span>
          </p>
          <p className="mt-3 text-table">
            Spread from <strong className="font-semibold">{pipsText(spreadsFrom)}</strong>
          </p>
          <p className="text-table">
            Leverage up to <strong className="font-semibold">{leverage}</strong>
          </p>
          <ul className="mt-3 flex flex-col gap-1 text-table text-soft">
            {features.map((feature) => (
              <li key={feature} className="flex gap-2">
                <PageIcon name="check" className="mt-0.5 size-4 text-accent" />
                {feature}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </section>
);

/** What this page counts; the landing page has figures of its own. */
const FIGURES = [
  { value: "5+", label: "years on the market" },
  { value: "10k+", label: "active clients" },
  { value: "50k+", label: "withdrawals" },
  { value: "100+", label: "events" },
  { value: "200+", label: "assets" },
];

/** `sample`: a demonstration's, made up. */
export const Statistics = ({ sample }: { sample: boolean }) => (
  <section aria-label="In figures" className="rounded-card bg-sunken px-4 py-6 md:px-6">
    <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
      {FIGURES.map(({ value, label }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-table text-soft">{label}</dt>
          <dd className="font-serif text-title">{value}</dd>
        </div>
      ))}
    </dl>
    {sample ? (
      <p className="mt-4 text-table text-soft">
        <SampleMark /> Figures that show how a broker's page looks.
      </p>
    ) : null}
  </section>
);
