import { ButtonLink } from "../ui/Button";
import { PageIcon, type PageIconName } from "../ui/PageIcon";
import type { ShownClaim } from "../../src/texts/schema_claims";
import { ClaimBadges } from "./ClaimBadges";
import { PageHead } from "./PageHead";
import { SampleMark } from "../ui/SampleMark";
import { figures } from "./packages";
import { Fact, FigureList, Section } from "./Section";
import { Sessions } from "./Sessions";

type Props = { brand: string; demonstration: boolean; claims: readonly ShownClaim[] };

/** Who stands behind the screens: mission, core values, leadership, achievements, and how it came about. */
export function AboutPage({ brand, demonstration, claims }: Props) {
  return (
    <>
      <PageHead
        title={`About ${brand}`}
        lead="A broker that shows its work: real mechanics to learn on, plain prices to trade at, and a record of everything that happens to your money."
      />
      <Mission />
      <Values />
      <Leadership demonstration={demonstration} />
      <Achievements demonstration={demonstration} claims={claims} />
      {demonstration ? <Timeline /> : null}
      <Closing />
    </>
  );
}

function Mission() {
  return (
    <section id="mission" aria-labelledby="mission-title" className="border-t border-line">
      <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-x-20 gap-y-12 px-4 py-14 md:px-6 md:py-20 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div>
          <h2 id="mission-title" className="font-serif text-section">
            Our mission
          </h2>
          <p className="mt-6 max-w-prose font-serif text-title">
            To let people learn the markets before the markets teach them, and to leave no doubt about what became of their money.
          </p>
          <p className="mt-6 max-w-prose text-soft">
            Most people who lose money in foreign exchange did not lose it to the market. They lost it to a platform they did not understand: spreads that
            nobody had told them about, stops that filled elsewhere, a leverage they had never worked through. We took the other way round. Everyone starts on a
            demo account that fills, slips and charges spread exactly as a live one does. Live trading comes after that, and only when you ask for it.
          </p>
        </div>
        <div className="lg:pt-2">
          <h3 className="mb-5 text-heading font-semibold">When the market is awake</h3>
          <Sessions />
        </div>
      </div>
    </section>
  );
}

const VALUES: { icon: PageIconName; title: string; text: string }[] = [
  {
    icon: "receipt",
    title: "Transparency",
    text: "Every fill keeps its receipt: the quote, its age, the spread, the slippage. A correction by our staff is shown to you at once and for ever.",
  },
  {
    icon: "book",
    title: "Education first",
    text: "Lessons, live seminars and training come before the first deposit, and stay free of charge after it.",
  },
  {
    icon: "coins",
    title: "Care with money",
    text: "A double-entry ledger stands behind every balance. Money only moves; it is never simply set. The books are checked every minute.",
  },
  {
    icon: "scale",
    title: "Fairness",
    text: "The price in the order panel is the price an order fills at, for you as for anyone. Your trading balance cannot end below zero.",
  },
];

const Values = () => (
  <Section id="values" title="Core values" lead="Four sentences that we hold each other to." tinted>
    <ul className="grid grid-cols-1 gap-10 sm:grid-cols-2 lg:grid-cols-4">
      {VALUES.map((value) => (
        <Fact key={value.title} {...value} />
      ))}
    </ul>
  </Section>
);

/** Names are made up, so only a demonstration shows them. */
const LEADERS: { role: string; name: string; text: string }[] = [
  { role: "Chief Executive", name: "Maren Halvorsen", text: "Answers for the whole, and reads the complaints herself every Friday." },
  { role: "Chief Risk Officer", name: "Tomás Iriarte", text: "Sets margin, watches exposure, and may say no to anyone in the house." },
  { role: "Head of Dealing", name: "Adaeze Okonjo", text: "Keeps feeds and fills honest; her team writes the quality report that every trader can open." },
  { role: "Head of Education", name: "Jonas Wieland", text: "Twelve years at a trading desk, and since then in front of a blackboard." },
];

function Leadership({ demonstration }: { demonstration: boolean }) {
  return (
    <Section
      id="leadership"
      title="Leadership"
      lead={
        demonstration ? (
          <>
            Four people answer for what happens here. <SampleMark>Sample people, made up for this demonstration</SampleMark>
          </>
        ) : (
          "Four offices answer for what happens here."
        )
      }
    >
      <ul className="grid grid-cols-1 gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {LEADERS.map(({ role, name, text }) => (
          <li key={role} className="border-t-2 border-ink pt-5">
            {demonstration ? <Monogram name={name} /> : null}
            <h3 className="mt-4 text-heading font-semibold">{demonstration ? name : role}</h3>
            {demonstration ? <p className="text-product text-accent">{role}</p> : null}
            <p className="mt-2 text-[0.9375rem] leading-6 text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Monogram = ({ name }: { name: string }) => (
  <span aria-hidden="true" className="inline-flex size-14 items-center justify-center rounded-full bg-accent-soft font-serif text-heading text-accent">
    {name
      .split(" ")
      .map((part) => part[0])
      .join("")}
  </span>
);

/** An award is a sample until somebody has given it: only a demonstration shows it here. */
const HONOURS: { icon: PageIconName; title: string; text: string; awarded?: true }[] = [
  { icon: "medal", title: "#1 Broker 2024", text: "First place for the quality of execution and of the answers traders get.", awarded: true },
  { icon: "book", title: "Award-winning trading education", text: "A course that begins with what a pip is and ends with a written trading plan." },
  { icon: "shield", title: "Negative balance protection", text: "Since the first day, for every live account: the house covers what a gap takes beyond zero." },
];

function Achievements({ demonstration, claims }: Omit<Props, "brand">) {
  return (
    <Section
      id="achievements"
      title="Achievements"
      lead={
        demonstration ? (
          <>
            What we are proud of, in words and in figures. <SampleMark>Sample figures</SampleMark>
          </>
        ) : (
          "What we are proud of."
        )
      }
      tinted
    >
      <ul className="grid grid-cols-1 gap-10 md:grid-cols-3">
        {HONOURS.filter(({ awarded }) => demonstration || !awarded).map(({ icon, title, text }) => (
          <Fact key={title} icon={icon} title={title} text={text} />
        ))}
      </ul>
      {claims.length > 0 ? (
        <ul className="mt-10 flex flex-wrap items-center gap-3 text-product">
          <ClaimBadges claims={claims} />
        </ul>
      ) : null}
      {demonstration ? (
        <div className="mt-14 border-t border-line pt-10">
          <FigureList figures={figures} />
        </div>
      ) : null}
    </Section>
  );
}

const YEARS: { year: string; title: string; text: string }[] = [
  {
    year: "2019",
    title: "A desk and a blackboard",
    text: "Founded as a school for currency traders, with a demo platform of its own so that pupils could practise in the evening.",
  },
  { year: "2020", title: "The first live accounts", text: "Seven major pairs, one account type, and a receipt for each fill from the first day on." },
  {
    year: "2021",
    title: "Coins join the currencies",
    text: "Twenty cryptocurrencies against the dollar, traded around the clock; deposits in Bitcoin beside card and bank.",
  },
  {
    year: "2022",
    title: "Five account tiers",
    text: "Starter to Platinum, with spreads that narrow as the tier rises, and a referral programme for those who bring a friend.",
  },
  { year: "2023", title: "In your pocket", text: "Mobile trading, support at any hour, and a public report on the quality of our fills." },
];

/** Made up, so only a demonstration tells it. */
function Timeline() {
  return (
    <Section id="timeline" title="Timeline, 2019 to 2023" lead={<SampleMark>Sample history</SampleMark>}>
      <ol className="max-w-[46rem] border-l border-line">
        {YEARS.map(({ year, title, text }) => (
          <li key={year} className="relative grid grid-cols-1 gap-x-8 gap-y-1 pb-10 pl-8 last:pb-0 sm:grid-cols-[5rem_1fr]">
            <span aria-hidden="true" className="absolute -left-[5px] top-3 size-[9px] rounded-full bg-accent" />
            <span className="font-serif text-title">{year}</span>
            <div className="sm:pt-1">
              <h3 className="text-heading font-semibold">{title}</h3>
              <p className="mt-1 text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const Closing = () => (
  <section className="mx-auto w-full max-w-[70rem] px-4 md:px-6">
    <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line pt-12">
      <p className="flex items-center gap-4 font-serif text-title">
        <PageIcon name="candles" className="size-8 text-accent max-sm:hidden" />
        See for yourself, with virtual money.
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/register" size="large">
          Open an account
        </ButtonLink>
        <ButtonLink href="/trading-assets" size="large" variant="secondary">
          Trading assets
        </ButtonLink>
      </div>
    </div>
  </section>
);
