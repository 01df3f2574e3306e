import type { ReactNode } from "react";
import { ButtonLink } from "../ui/Button";
import { classes } from "../ui/classes";
import { Icon, type IconName } from "../ui/Icon";
import { figures, type Package, packages, platforms } from "./packages";
import { Sessions } from "./Sessions";

function Section({ id, title, lead, children, tinted }: { id: string; title: string; lead: string; children: ReactNode; tinted?: boolean }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={tinted ? "border-y border-line bg-surface" : undefined}>
      <div className="mx-auto w-full max-w-[70rem] px-4 py-14 md:px-6 md:py-20">
        <h2 id={`${id}-title`} className="max-w-[24ch] font-serif text-section">
          {title}
        </h2>
        <p className="mt-4 max-w-prose text-soft">{lead}</p>
        <div className="mt-12">{children}</div>
      </div>
    </section>
  );
}

const STEPS = [
  { title: "Create an account", text: "Your name, an address, a password. A demo account with $10,000 of virtual money opens with it." },
  { title: "Choose a package and deposit", text: "Five tiers, by card, bank or Bitcoin. Staff confirm each deposit before it counts." },
  { title: "Trade", text: "Once the deposit is confirmed you trade live, with stop loss and take profit on every order." },
];

export function HowItWorks() {
  return (
    <Section id="how-it-works" title="How it works" lead="Three steps, of which the first takes a minute.">
      <ol className="grid gap-8 md:grid-cols-3">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="border-t-2 border-ink pt-5">
            <span className="font-serif text-title text-accent" aria-hidden="true">
              {index + 1}
            </span>
            <h3 className="mt-3 text-heading font-semibold">{title}</h3>
            <p className="mt-2 text-soft">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const LESSONS: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "book",
    title: "Award-winning education",
    text: "From what a pip is to how a margin call happens, in lessons that use the numbers of your own screen.",
  },
  { icon: "person", title: "Live seminars", text: "Traders think aloud while the market is open, and answer what you ask." },
  {
    icon: "candles",
    title: "Training on real mechanics",
    text: "The demo account fills, slips and charges spread exactly as a live one does. Only the money is virtual.",
  },
];

export function LearnToTrade() {
  return (
    <Section
      id="learn"
      title="Learn to trade before you risk a cent"
      lead="Most people who lose money trade before they understand the instrument. Take the order the other way round."
      tinted
    >
      <ul className="grid gap-10 md:grid-cols-3">
        {LESSONS.map((lesson) => (
          <Fact key={lesson.title} {...lesson} />
        ))}
      </ul>
    </Section>
  );
}

function Fact({ icon, title, text }: { icon: IconName; title: string; text: string }) {
  return (
    <li>
      <Icon name={icon} className="size-7 text-accent" />
      <h3 className="mt-4 text-heading font-semibold">{title}</h3>
      <p className="mt-2 text-soft">{text}</p>
    </li>
  );
}

const REASONS: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "globe",
    title: "The largest market there is",
    text: "Forex moves from Sydney to New York five days a week, and a major pair always has another side.",
  },
  {
    icon: "bolt",
    title: "Coins never close",
    text: "Bitcoin and its kin trade at weekends and at night.",
  },
  {
    icon: "receipt",
    title: "You see what happened",
    text: "Each fill keeps the quote, its age, the spread and the slippage. Nothing that changes your money is hidden from you.",
  },
  { icon: "gift", title: "Bring a friend", text: "Give your referral code. When your friend's first deposit is approved, you get a bonus." },
];

/** `bitcoinOffer` is a promise of today, told with the coins. */
export function WhyTrade({ bitcoinOffer }: { bitcoinOffer: string | null }) {
  return (
    <Section id="why" title="Why choose forex and bitcoin trade" lead="Two markets with one thing in common: there is always a price.">
      <div className="grid gap-12 lg:grid-cols-[1fr_26rem] lg:gap-16">
        <ul className="grid gap-10 sm:grid-cols-2">
          {REASONS.map((reason) => (
            <Fact key={reason.title} {...reason} text={reason.icon === "bolt" && bitcoinOffer ? `${reason.text} ${bitcoinOffer}` : reason.text} />
          ))}
        </ul>
        <div className="lg:pt-2">
          <h3 className="mb-5 text-heading font-semibold">The trading day</h3>
          <Sessions />
        </div>
      </div>
    </Section>
  );
}

export function Packages() {
  return (
    <Section
      id="accounts"
      title="Trading accounts"
      lead="Spreads narrow as the tier rises. Leverage is 'up to': the ratio of your own account is what counts."
      tinted
    >
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
        {packages.map((each) => (
          <PackageCard key={each.tier} {...each} />
        ))}
      </ul>
    </Section>
  );
}

function PackageCard({ tier, minimum, spread, leverage, extras, popular }: Package) {
  return (
    <li className={classes("flex flex-col rounded-card border bg-paper p-4", popular ? "border-accent" : "border-line")}>
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 id={`package-${tier}`} className="text-base font-semibold">
          {tier}
        </h3>
        {popular ? <span className="whitespace-nowrap rounded-full bg-accent-soft px-2 py-0.5 text-note font-medium text-accent">Most popular</span> : null}
      </div>
      <p className="mt-4">
        <span className="block text-[1.625rem] font-semibold leading-8 tracking-[-0.02em]">{minimum}</span>
        <span className="text-table text-soft">minimum deposit</span>
      </p>
      <dl className="mt-5 border-t border-line text-table">
        {[
          ["Spread from", `${spread} pips`],
          ["Leverage up to", leverage],
        ].map(([name, value]) => (
          <div key={name} className="flex justify-between gap-2 border-b border-line py-2">
            <dt className="text-soft">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <ul className="mb-6 mt-4 flex flex-col gap-1.5 text-table">
        {extras.map((extra) => (
          <li key={extra} className="flex gap-2">
            <Icon name="check" className="mt-0.5 size-4 text-accent" />
            {extra}
          </li>
        ))}
      </ul>
      <ButtonLink
        href="/login"
        look={popular ? "primary" : "secondary"}
        wide
        size="small"
        className="mt-auto whitespace-nowrap tracking-[0.01em]"
        aria-describedby={`package-${tier}`}
      >
        OPEN AN ACCOUNT
      </ButtonLink>
    </li>
  );
}

export function Platforms() {
  return (
    <Section id="platforms" title="One account, four ways in" lead="Start at the desk, look in from the train, close from the sofa.">
      <ul className="grid gap-x-8 border-t border-line sm:grid-cols-2">
        {platforms.map(({ name, text }) => (
          <li key={name} className="flex items-baseline justify-between gap-6 border-b border-line py-5">
            <h3 className="whitespace-nowrap text-heading font-semibold">{name}</h3>
            <p className="text-right text-[0.9375rem] leading-6 text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Statistics({ licence }: { licence: string | null }) {
  return (
    <section aria-label="In figures" className="border-y border-line bg-sunken">
      <div className="mx-auto w-full max-w-[70rem] px-4 py-14 md:px-6">
        <dl className="grid grid-cols-2 gap-8 md:grid-cols-5">
          {figures.map(({ value, label }) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-table text-soft">{label}</dt>
              <dd className="font-serif text-section">{value}</dd>
            </div>
          ))}
        </dl>
        <ul className="mt-10 flex flex-wrap gap-3 text-product">
          <Claim icon="chart">#1 Broker 2024</Claim>
          {licence ? (
            <Claim icon="shield">
              Regulated &amp; Licensed <span className="text-soft">{licence}</span>
            </Claim>
          ) : null}
        </ul>
      </div>
    </section>
  );
}

const Claim = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <li className="inline-flex items-center gap-2 rounded-full border border-control px-4 py-2">
    <Icon name={icon} className="size-4 text-accent" />
    {children}
  </li>
);
