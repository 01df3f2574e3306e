import { useSignals } from "@preact/signals-react/runtime";
import { memo, useEffect, useRef, useState } from "react";
import { instrumentOf, isForex } from "../../src/market/schema";
import { inCryptoGroup } from "../../src/market/rules_coins";
import { digitsOf, type Watched } from "../../src/trading/rules_prices";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { midOf, WatchCard } from "../../views/market/WatchCard";
import { WatchTools } from "../../views/market/WatchTools";
import { Button } from "../../views/ui/Button";
import { EmptyState } from "../../views/ui/States";
import { selectedSide } from "../runtime/trading_store";
import { LivePrice, useNear, useQuote, useStaleness } from "../runtime/live";
import { onPortalKey } from "../runtime/portal_keys";
import { pickSymbol } from "../runtime/pick";
import { saveData, savesData } from "../wire/stream";

type Props = {
  label: "Forex Watchlist" | "Cryptocurrency";
  items: Watched[];
  chosen: string;
  here: boolean;
  /** Offers to set an alert. */ onAlert: (symbol: string) => void;
};

/** One of the two lists of instruments, found by name or symbol. */
export function Watchlist({ label, items, chosen, here, onAlert }: Props) {
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
            <ul aria-label={index ? "More coins" : label} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5">
              {part.map((item) => (
                <LiveCard key={item.symbol} item={item} chosen={item.symbol === chosen} here={here} onAlert={onAlert} />
              ))}
            </ul>
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

/** One card follows one symbol's quote, and is drawn for nothing else but being chosen. */
export const LiveCard = memo(function LiveCard({ item, chosen, here, onAlert }: { item: Watched; chosen: boolean; here: boolean } & Pick<Props, "onAlert">) {
  useSignals();
  const place = useRef<HTMLLIElement>(null);
  const quote = useQuote(item.symbol, item.quote, here, useNear(place));
  const stale = useStaleness(quote, here);
  const mid = midOf(quote);
  return (
    <WatchCard
      place={place}
      item={item}
      quote={quote}
      chosen={chosen}
      stale={stale}
      price={mid ? <LivePrice value={mid} digits={digitsOf(item.symbol)} /> : "–"}
      onAlert={onAlert}
      onPick={(symbol, side) => {
        pickSymbol(symbol);
        selectedSide.value = side;
      }}
    />
  );
});
