import { signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { memo, useEffect, useRef, useState } from "react";
import { inCryptoGroup, instrumentOf, isForex } from "../../src/market/rules_listed";
import { digitsOf, type Side, type Watched } from "../../src/trading/rules_prices";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { midOf } from "../../views/market/watch_price";
import { kept } from "../runtime/kept";
import { later } from "../runtime/later";
import { WatchRow } from "../../views/market/WatchRow";
import { WatchTools } from "../../views/market/WatchTools";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { isPhone } from "../runtime/screen";
import { selectedSide, sheetOpen } from "../runtime/trading_store";
import { LivePrice, useNear, useQuote, useStaleness } from "../runtime/live";
import { onPortalKey } from "../runtime/portal_keys";
import { pickSymbol } from "../runtime/pick";
import { saveData, savesData } from "../wire/stream";

/** Cards come where they are chosen; a page that begins with them waits for them. */
export const WatchCard = later(async () => ({ default: (await import("../../views/market/WatchCard")).WatchCard }));

type Props = {
  label: "Forex Watchlist" | "Cryptocurrency";
  items: Watched[];
  chosen: string;
  here: boolean;
  /** As the page was asked for: as cards, not as a dense list. */
  cards: boolean;
  /** Offers to set an alert. */ onAlert: (symbol: string) => void;
};

/** One of the two lists of instruments, found by name or symbol. */
export function Watchlist({ label, items, chosen, here, cards: first, onAlert }: Props) {
  useSignals();
  const [search, setSearch] = useState("");
  const [choice, setChoice] = useState<boolean | null>(null);
  const saving = choice ?? (here && savesData());
  useEffect(
    () =>
      onPortalKey((key, event) => {
        if (key !== SHORTCUTS.search) return;
        event.preventDefault();
        document.getElementById("watch-search")?.focus();
      }),
    [],
  );
  const crypto = label === "Cryptocurrency";
  const group = items.filter(({ symbol }) => inCryptoGroup(symbol) === crypto);
  const found = group.filter(({ symbol }) => matches(symbol, search));
  const coins = found.filter(({ symbol }) => !isPair(symbol));
  const parts = crypto ? [found] : [found.filter(({ symbol }) => isPair(symbol)), coins];
  return (
    <>
      <WatchTools
        search={search}
        onSearch={setSearch}
        saving={saving}
        onSaving={(on) => {
          saveData(on);
          setChoice(on);
        }}
        count={search ? found.length : null}
        cards={here ? (asCards.value ?? first) : first}
        onCards={chooseCards}
      />
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title="No instruments match your search."
          action={
            <Button variant="secondary" onClick={() => setSearch("")}>
              Clear Search
            </Button>
          }
        />
      ) : null}
      {parts.map((part, index) =>
        part.length === 0 ? null : (
          <section key={index ? "coins" : "first"} aria-label={index ? "More coins" : label} className={index ? "pt-6" : ""}>
            {index ? <h3 className="mb-3 font-semibold">More coins</h3> : null}
            <WatchItems label={index ? "More coins" : label} items={part} {...{ chosen, here, first, onAlert }} />
          </section>
        ),
      )}
    </>
  );
}

const isPair = (symbol: string) => {
  const instrument = instrumentOf(symbol);
  return instrument !== undefined && isForex(instrument);
};

/** By symbol, with or without its stroke, or by a part of the name. */
function matches(symbol: string, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const names = [symbol, symbol.replace("/", ""), instrumentOf(symbol)?.name ?? ""];
  return names.some((name) => name.toLowerCase().includes(wanted));
}

/** How the instruments are shown, once somebody chose on this page; a cookie tells the next one. */
const asCards = signal<boolean | null>(null);
function chooseCards(on: boolean) {
  asCards.value = on;
  document.cookie = `watch=${on ? "cards" : "list"}; Path=/; Max-Age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
}

type ItemsProps = Pick<Props, "items" | "chosen" | "here" | "onAlert"> & { label: string; first: boolean };

/** Instruments as they were chosen to be shown. The component itself calls `useSignals()`. */
export function WatchItems({ label, items, chosen, here, first, onAlert }: ItemsProps) {
  useSignals();
  const cards = here ? (asCards.value ?? first) : first;
  return (
    <ul aria-label={label} className={cards ? "grid grid-cols-[repeat(auto-fill,minmax(14.5rem,1fr))] gap-4" : "watch-rows"}>
      {items.map((item) => {
        const of = { item, chosen: item.symbol === chosen, here, cards };
        return kept(LiveItem, { key: item.symbol, ...of, onAlert }, () => [of, instrumentOf(item.symbol)]);
      })}
    </ul>
  );
}

type ItemProps = { item: Watched; chosen: boolean; here: boolean; cards: boolean } & Pick<Props, "onAlert">;

/** One card or row follows one symbol's quote, and is drawn for nothing else but being chosen. */
const LiveItem = memo(function LiveItem({ item, chosen, here, cards, onAlert }: ItemProps) {
  useSignals();
  const place = useRef<HTMLLIElement>(null);
  const quote = useQuote(item.symbol, item.quote, here, useNear(place));
  const stale = useStaleness(quote, here);
  const live = (value: string) => <LivePrice value={value} digits={digitsOf(item.symbol)} />;
  const mid = midOf(quote);
  const shared = { place, item, quote, chosen, stale, onAlert, onPick };
  if (cards) return <WatchCard {...shared} price={mid ? live(mid) : "–"} />;
  return <WatchRow {...shared} onChart={showOnChart} bid={quote ? live(quote.bid) : "–"} ask={quote ? live(quote.ask) : "–"} />;
});

/** Sets the order panel to it; on a phone, where the panel is a sheet, opens that. */
function onPick(symbol: string, side: Side) {
  pickSymbol(symbol);
  selectedSide.value = side;
  if (isPhone()) sheetOpen.value = true;
}

/** The chart follows the choice; a phone, which shows one thing at a time, goes there. */
function showOnChart(symbol: string) {
  pickSymbol(symbol);
  if (isPhone()) document.querySelector<HTMLElement>('.desk-nav a[data-tab=""]')?.click();
}
