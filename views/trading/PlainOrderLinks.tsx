import { priceText } from "../../src/lib/money";
import { openingPrice } from "../../src/trading/rules";
import { dealPrice, pricesFor, type Quote, type Side, sideWord, type Tier } from "../../src/trading/rules_prices";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";

type Props = { account: Tier & { id: string }; symbol: string; quote: Quote | null };

/** The form of an order without scripts; what is left out is the page's own choice. */
export const newOrderPath = (accountId: string | null, symbol: string, side: Side) =>
  `/positions/new?${accountId ? `account=${accountId}&` : ""}symbol=${symbol}&side=${side}`;

/** Where an order panel is, for a browser without scripts: the way to the form that needs none. */
export const PlainOrderLinks = ({ account, symbol, quote }: Props) => (
  <noscript>
    <Panel title={`Trade ${symbol}`}>
      <div className="grid grid-cols-2 gap-2">
        {(["sell", "buy"] as const).map((side) => (
          <ButtonLink key={side} variant={side} size="large" href={newOrderPath(account.id, symbol, side)}>
            <span>
              {sideWord(side)} <span className="sr-only">{symbol} </span>
              {quote ? dealPrice(priceText(openingPrice(side, pricesFor(account, quote))), symbol) : null}
            </span>
          </ButtonLink>
        ))}
      </div>
      <p className="pt-2 text-table text-soft">At the market, or waiting for a price. Nothing is placed before you have seen what it will do.</p>
    </Panel>
  </noscript>
);
