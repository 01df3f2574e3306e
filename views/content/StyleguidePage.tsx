import type { ReactNode } from "react";
import StyleguideDemo from "../../islands/content/StyleguideDemo";
import { Sparkline, sparkPath } from "../market/Sparkline";
import { Button } from "../ui/Button";
import { Card, Panel } from "../ui/Card";
import { Menu, MenuLink } from "../ui/Menu";
import { Delta, Price, SimulatedLabel } from "../ui/Price";
import { Ring } from "../ui/Ring";
import { Signed } from "../ui/Signed";
import { Stat } from "../ui/Stat";
import { EmptyState, ErrorState, Notice, Skeleton, SkeletonTable, StaleMark } from "../ui/States";
import { Table } from "../ui/Table";
import { TabPanel, Tabs } from "../ui/Tabs";
import { ThemeToggle } from "../ui/ThemeToggle";
import { Logo, Mark, Wordmark } from "../ui/Wordmark";
import { PageHead } from "./PageHead";
import { Sessions } from "./Sessions";
import { Badges, Buttons, Fields, Icons, Row, type Theme, Tokens, Types } from "./StyleguideBasics";

/** Every brick in every state, once in each theme: what a screen is made of, and nothing else. Linked from nowhere. */
export const StyleguidePage = ({ tab }: { tab: string }) => (
  <>
    <PageHead
      title="Style guide"
      lead="Every brick of the design in every state, on the day's ground and on the night's. Screens are made of these and of nothing else."
    />
    <div className="grid grid-cols-1 xl:grid-cols-2">
      {(["light", "dark"] as const).map((theme) => (
        <section key={theme} data-theme={theme} aria-label={theme === "light" ? "By day" : "By night"} className="bg-paper text-ink">
          <div className="mx-auto flex max-w-[56rem] flex-col gap-14 px-4 py-12 md:px-8">
            <h2 className="font-serif text-section">{theme === "light" ? "By day" : "By night"}</h2>
            <Bricks theme={theme} tab={tab} />
          </div>
        </section>
      ))}
    </div>
    <div className="mx-auto max-w-[70rem] px-4 pt-14 md:px-6">
      <h2 className="mb-6 font-serif text-section">What moves</h2>
      <StyleguideDemo />
    </div>
  </>
);

function Bricks({ theme, tab }: { theme: Theme; tab: string }) {
  return (
    <>
      <Part title="Marks">
        <Row>
          <Wordmark brand="Halyard" />
          <Mark className="size-10" />
          <Logo src="/icon-192.png" />
        </Row>
      </Part>
      <Part title="Colours">
        <Tokens theme={theme} />
      </Part>
      <Part title="Type">
        <Types />
      </Part>
      <Part title="Buttons">
        <Buttons />
      </Part>
      <Part title="Fields">
        <Fields theme={theme} />
      </Part>
      <Part title="Badges">
        <Badges />
      </Part>
      <Part title="Figures and prices">
        <Figures />
      </Part>
      <Part title="Cards, menus, tabs">
        <Surfaces theme={theme} tab={tab} />
      </Part>
      <Part title="Tables">
        <Tables />
      </Part>
      <Part title="States">
        <States />
      </Part>
      <Part title="Pictures">
        <Pictures />
      </Part>
      <Part title="Icons">
        <Icons />
      </Part>
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h3 className="mb-5 border-b border-line pb-2 text-heading font-semibold">{title}</h3>
    {children}
  </div>
);

const Figures = () => (
  <div className="flex flex-col gap-6">
    <Row>
      <Stat label="Account Balance" note="Live money">
        $12,480.50
      </Stat>
      <Stat label="Total Profit">
        <Delta value="480.50" />
      </Stat>
      <Stat label="Total Loss">
        <Delta value="-95.20" />
      </Stat>
      <Stat label="Unchanged">
        <Delta value="0.00" />
      </Stat>
    </Row>
    <Row>
      <Price value="1.08421" />
      <Price value="151.204" digits={3} />
      <Price value="97245.10" digits={2} />
      <Price value="0.00001834" digits={8} />
      <SimulatedLabel />
      <StaleMark age="14 s old" />
    </Row>
    <p>
      Within a sentence, the result was <Signed value="-95.20" />.
    </p>
  </div>
);

const Surfaces = ({ theme, tab }: { theme: Theme; tab: string }) => (
  <div className="flex flex-col gap-6">
    <Card className="p-4">A card: a hairline round what belongs together.</Card>
    <Panel
      title={`Panel by ${theme === "light" ? "day" : "night"}`}
      action={
        <Button size="small" variant="secondary">
          Refresh
        </Button>
      }
    >
      With its heading, and what can be done with it.
    </Panel>
    <Row>
      <Menu label="Menu">
        <MenuLink href="#" current>
          This page
        </MenuLink>
        <MenuLink href="#">Another</MenuLink>
      </Menu>
      <ThemeToggle />
    </Row>
    {theme === "light" ? (
      <div>
        <Tabs label="Tabs" tabs={TABS} current={tab} path="/styleguide" />
        <TabPanel id={tab}>What the chosen tab shows.</TabPanel>
      </div>
    ) : null}
  </div>
);
export const TABS = [
  { id: "one", label: "Open Positions", count: 2 },
  { id: "two", label: "Deposits", count: 3, waits: true },
  { id: "three", label: "Trade History" },
];

type Line = { symbol: string; side: string; amount: string; profit: string };
const LINES: Line[] = [
  { symbol: "EUR/USD", side: "BUY", amount: "$1,000.00", profit: "4.20" },
  { symbol: "BTC/USD", side: "SELL", amount: "$250.00", profit: "-1.35" },
];
const Tables = () => (
  <Table
    caption="Positions"
    rows={LINES}
    rowKey={({ symbol }) => symbol}
    columns={[
      { key: "symbol", title: "Symbol", cell: ({ symbol }) => symbol, lead: true },
      { key: "side", title: "Type", cell: ({ side }) => side },
      { key: "amount", title: "Amount", cell: ({ amount }) => amount, numeric: true },
      { key: "profit", title: "Profit", cell: ({ profit }) => <Delta value={profit} />, numeric: true },
    ]}
  />
);

const States = () => (
  <div className="flex flex-col gap-6">
    {(["info", "success", "warning", "error"] as const).map((kind) => (
      <Notice key={kind} kind={kind} title={`A notice: ${kind}`}>
        What happened, and what to do.
      </Notice>
    ))}
    <Card>
      <EmptyState title="No open positions" action={<Button variant="secondary">Open New Trade</Button>}>
        One sentence, and the next step.
      </EmptyState>
    </Card>
    <Card>
      <ErrorState title="The list could not be loaded" retry={<Button variant="secondary">Try again</Button>}>
        The server could not be reached. Check your connection.
      </ErrorState>
    </Card>
    <div>
      <Skeleton className="mb-3 h-6 w-40" />
      <Skeleton className="h-4 w-full" />
    </div>
    <SkeletonTable rows={3} columns={4} label="Loading your trades..." />
  </div>
);

const DAY = [5, 7, 6, 8, 9, 7, 10, 12, 11, 13];
const Pictures = () => (
  <div className="flex flex-col gap-8">
    <div className="flex flex-col gap-4">
      <Sparkline path={sparkPath(DAY)} rising className="h-10 w-full" />
      <Sparkline path={sparkPath(DAY.toReversed())} rising={false} className="h-10 w-full" />
      <Ring
        label="Where the money is"
        parts={[
          { name: "Forex", value: 55 },
          { name: "Crypto", value: 30 },
          { name: "Free", value: 15 },
        ]}
      />
    </div>
    <Sessions />
  </div>
);
