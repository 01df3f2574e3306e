import { instrumentOf, isForex } from "../../src/market/rules_listed";
import { isOffered, offeredInstruments } from "../../src/market/rules_terms";
import { ButtonLink } from "../ui/Button";
import { Ring } from "../ui/Ring";
import { Notice } from "../ui/States";
import { TabPanel, Tabs } from "../ui/Tabs";
import { ASSET_TABS, type Asset, type AssetGroup, assetGroups, type AssetTab } from "./assets";
import { TO_DASHBOARD } from "./links";
import { PageHead } from "./PageHead";
import { type Figure, FigureList } from "./Section";

const CONDITIONS: Figure[] = [
  { before: "From", value: "0.8 pips", label: "on EUR/USD" },
  { value: "1:500", label: "maximum leverage on forex" },
  { value: "50+", label: "currency pairs" },
  { value: "24/5", label: "forex; crypto around the clock" },
];

const ABOUT: Record<AssetTab, string> = {
  forex: "Sunday 5 PM to Friday 5 PM New York time. The spread is what the market usually shows; where your account's tier is wider, the tier's counts.",
  indices: "Baskets of a country's largest companies, in points of the index.",
  commodities: "Metals, energy and harvests, in dollars for the unit named.",
  crypto: "Against the US dollar, day and night, weekends included. The spread is a share of the price and widens when the market is thin.",
};

/** Is it dealt here today? What is not says so instead of offering a button that leads nowhere. */
const isTraded = ({ symbol }: Asset) => {
  const instrument = instrumentOf(symbol);
  return instrument !== undefined && isOffered(instrument);
};

/** What is traded and stands in none of the lists: staff have listed it since. */
function moreOf(tab: AssetTab): AssetGroup[] {
  if (tab !== "forex" && tab !== "crypto") return [];
  const known = new Set(assetGroups[tab].flatMap(({ assets }) => assets.map(({ symbol }) => symbol)));
  const more = offeredInstruments().filter((each) => isForex(each) === (tab === "forex") && !known.has(each.symbol));
  const assets = more.map(({ symbol, name }) => ({ symbol, name, spread: "the market’s" }));
  return assets.length === 0 ? [] : [{ title: tab === "forex" ? "More pairs" : "More coins", assets }];
}

const countOf = (groups: AssetGroup[]) => groups.reduce((sum, { assets }) => sum + assets.length, 0);

/** What can be traded, in four lists, each with an address of its own. */
export function AssetsPage({ tab }: { tab: AssetTab }) {
  const groups = [...assetGroups[tab], ...moreOf(tab)];
  const anyTraded = groups.some(({ assets }) => assets.some(isTraded));
  return (
    <>
      <PageHead title="Trading assets" lead="Currencies and coins you can trade today, what they cost to trade, and what is still to come.">
        <Ring label="Instruments on our list" parts={ASSET_TABS.map(({ id, label }) => ({ name: label, value: countOf(assetGroups[id]) }))} />
      </PageHead>
      <div className="mx-auto w-full max-w-[70rem] px-4 md:px-6">
        <section aria-label="Trading conditions">
          <div className="border-y border-line py-8">
            <FigureList figures={CONDITIONS} />
          </div>
        </section>
        <div className="mt-10">
          <Tabs label="Asset classes" tabs={[...ASSET_TABS]} current={tab} path="/trading-assets" />
          <TabPanel id={tab}>
            <p className="max-w-prose pt-2 text-soft">{ABOUT[tab]}</p>
            {anyTraded ? null : (
              <Notice title="Not traded on this platform yet" className="mt-6 max-w-prose">
                The list shows what we prepare and the spreads we aim for. Orders are taken in forex and crypto only.
              </Notice>
            )}
            {groups.map((group) => (
              <Group key={group.title} {...group} />
            ))}
          </TabPanel>
        </div>
      </div>
      <Closing />
    </>
  );
}

function Group({ title, assets }: AssetGroup) {
  const traded = assets.filter(isTraded);
  const planned = assets.filter((asset) => !isTraded(asset));
  return (
    <section className="mt-10" aria-label={title}>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="min-w-0 text-heading font-semibold">{title}</h2>
        {traded.length > 0 ? null : <p className="text-table text-soft">Listed, not traded here yet</p>}
      </div>
      {traded.length > 0 ? <TradedTable title={title} assets={traded} /> : null}
      {traded.length > 0 && planned.length > 0 ? <p className="mt-4 text-table text-soft">Listed, not traded here yet</p> : null}
      {planned.length > 0 ? <PlannedList assets={planned} /> : null}
    </section>
  );
}

const TradedTable = ({ title, assets }: AssetGroup) => (
  <div className="mt-3 overflow-x-auto">
    <table className="w-full text-product">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="border-b border-line text-left text-table text-soft">
          <th scope="col" className="py-2 pr-3 font-medium">
            Instrument
          </th>
          <th scope="col" className="whitespace-nowrap px-1 py-2 text-right font-medium sm:px-3">
            Spread from
          </th>
          <th scope="col" className="relative py-2 pl-3 text-right font-medium">
            <span className="sr-only">Order</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {assets.map(({ symbol, name, spread }) => (
          <tr key={symbol} className="border-b border-line">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              <span className="font-semibold sm:inline-block sm:w-28">{symbol}</span>
              <span className="text-soft max-sm:block max-sm:text-note">{name}</span>
            </th>
            <td className="px-1 py-2 text-right whitespace-nowrap sm:px-3">{spread}</td>
            <td className="py-1.5 text-right sm:pl-3">
              <ButtonLink
                href={`/traders-portal?symbol=${symbol}`}
                variant="quiet"
                size="small"
                className="whitespace-nowrap max-sm:px-1"
                aria-label={`Trade Now: ${symbol}`}
              >
                Trade Now
              </ButtonLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const PlannedList = ({ assets }: { assets: Asset[] }) => (
  <ul className="mt-3 grid gap-x-12 border-t border-line text-product sm:grid-cols-2 lg:grid-cols-3">
    {assets.map(({ symbol, name, spread }) => (
      <li key={symbol} className="flex items-baseline justify-between gap-4 border-b border-line py-2">
        <span className="min-w-0">
          <span className="font-semibold">{symbol}</span>
          <span className="block text-note text-soft">{name}</span>
        </span>
        <span className="whitespace-nowrap text-soft">{spread}</span>
      </li>
    ))}
  </ul>
);

const Closing = () => (
  <section className="mx-auto mt-16 flex w-full max-w-[70rem] flex-wrap items-center justify-between gap-6 px-4 md:px-6">
    <p className="max-w-[30ch] font-serif text-title">Spreads are best judged on a screen that moves.</p>
    <div className="flex flex-wrap gap-3">
      <ButtonLink href={TO_DASHBOARD} size="large">
        Open Live Account
      </ButtonLink>
      <ButtonLink href={TO_DASHBOARD} size="large" variant="secondary">
        Try Demo Account
      </ButtonLink>
    </div>
  </section>
);
