import { ButtonLink } from "../ui/Button";
import { classes } from "../ui/classes";
import { PageIcon, type PageIconName } from "../ui/PageIcon";
import type { ShownClaim } from "../../src/texts/schema_claims";
import { SampleMark } from "../ui/SampleMark";
import { Badge, ClaimBadges } from "./ClaimBadges";
import { figures, type Package, packages, platforms } from "./packages";
import { Fact, FigureList, Section } from "./Section";
import { Sessions } from "./Sessions";

const STEPS = [
  { title: "Create an account", text: "Your name, an address, a password. A demo account with $10,000 of virtual money opens with it." },
  { title: "Choose a package and deposit", text: "Five tiers, by card, bank or Bitcoin. Staff confirm each deposit before it counts." },
  { title: "Trade", text: "Once the deposit is confirmed you trade live, with stop loss and take profit on every order." },
];

export function HowItWorks() {
  return (
    <Section id="how-it-works" title="How it works" lead="Three steps, of which the first takes a minute.">
      <ol className="grid grid-cols-1 gap-8 md:grid-cols-3">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="far far-card border-t-2 border-ink pt-5">
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

const LESSONS: { icon: PageIconName; title: string; text: string }[] = [
  {
    icon: "book",
    title: "Award-winning education",
    text: "From what a pip is to how a margin call happens, in lessons that use the numbers of your own screen.",
  },
  { icon: "person", title: "Live seminars and training", text: "Traders think aloud while the market is open, and answer what you ask." },
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
      <ul className="grid grid-cols-1 gap-10 md:grid-cols-3">
        {LESSONS.map((lesson) => (
          <Fact key={lesson.title} {...lesson} />
        ))}
      </ul>
      <ButtonLink href="/about" variant="secondary" className="mt-10">
        Learn More
      </ButtonLink>
    </Section>
  );
}

const REASONS: { icon: PageIconName; title: string; text: string }[] = [
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
  {
    icon: "gift",
    title: "Bring a friend",
    text: "Give your referral code. When your friend's first deposit that reaches the offer's minimum is approved, you get a bonus.",
  },
];

/** `bitcoinOffer` is a promise of today, told with the coins. */
export function WhyTrade({ bitcoinOffer }: { bitcoinOffer: string | null }) {
  return (
    <Section id="why" title="Why choose forex and bitcoin trade" lead="Two markets with one thing in common: there is always a price.">
      <div className="grid grid-cols-1 gap-12 lg:grid-cols-[1fr_26rem] lg:gap-16">
        <ul className="grid grid-cols-1 gap-10 sm:grid-cols-2">
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
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-5">
        {packages.map((each) => (
          <PackageCard key={each.tier} {...each} />
        ))}
      </ul>
    </Section>
  );
}

function PackageCard({ tier, minimum, spread, leverage, extras, popular }: Package) {
  return (
    <li className={classes("far far-card flex flex-col rounded-card border bg-paper p-4", popular ? "border-accent" : "border-line")}>
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
            <PageIcon name="check" className="mt-0.5 size-4 text-accent" />
            {extra}
          </li>
        ))}
      </ul>
      <ButtonLink
        href="/login"
        variant={popular ? "primary" : "secondary"}
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
    <Section id="platforms" title="Platforms" lead="One account: start at the desk, look in from the train, close from the sofa.">
      <ul className="grid grid-cols-1 gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {platforms.map(({ name, text, planned }) => (
          <li key={name} className="far far-card border-t border-line pt-4">
            <h3 className="text-heading font-semibold">{name}</h3>
            <p className="mt-1 text-[0.9375rem] leading-6 text-soft">{text}</p>
            {planned ? <p className="mt-1 text-table text-soft">Listed, not connected yet</p> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Claims = { licence: string | null; demonstration: boolean; claims: readonly ShownClaim[] };

/** Sample figures and badges in a demonstration; of an operator gone live, what has evidence, or nothing. */
export function Statistics({ licence, demonstration, claims }: Claims) {
  if (!demonstration && !licence && claims.length === 0) return null;
  return (
    <section aria-label="In figures" className="far border-y border-line bg-sunken">
      <div className="mx-auto w-full max-w-[70rem] px-4 py-14 md:px-6">
        {demonstration ? <FigureList figures={figures} /> : null}
        <ul className={classes("flex flex-wrap items-center gap-3 text-product", demonstration && "mt-10")}>
          {demonstration ? <Badge icon="medal">#1 Broker 2024</Badge> : null}
          {licence || demonstration ? (
            <Badge icon="shield">Regulated &amp; Licensed {licence ? <span className="text-soft">{licence}</span> : null}</Badge>
          ) : null}
          <ClaimBadges claims={claims} />
        </ul>
        {demonstration ? (
          <p className="mt-4 text-table text-soft">
            <SampleMark /> Figures and badges show how a broker's page looks. A demonstration has no licence, and its live accounts hold no real money.
          </p>
        ) : null}
      </div>
    </section>
  );
}
