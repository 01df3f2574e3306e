import { displayMoney, priceText, priceUnits } from "../../src/lib/money";
import type { SwapTerms } from "../../src/accounts/schema_rows";
import { openingPrice, type Prices } from "../../src/trading/rules";
import { overnight, untilText } from "../../src/trading/rules_swap";
import { preview } from "../../src/trading/rules_preview";
import { Delta } from "../ui/Price";
import { Notice } from "../ui/States";
import { pipOf } from "../../src/market/rules_listed";
import { dealPrice, type Side, sideWord } from "../../src/trading/rules_prices";
import { orderWords } from "../../src/trading/rules_waiting";
import type { OrderType } from "../../src/trading/schema";

type Props = {
  /** What will happen, in words. */
  sentence: string | null;
  symbol: string;
  side: Side;
  orderType: OrderType;
  amount: string;
  stopLoss: string;
  takeProfit: string;
  /** Of this moment; of a waiting order those at its trigger. */
  prices: Prices;
  /** As the account has it: "1:100". */
  leverage: string;
  /** A side, for each $100,000. */
  commission?: string | undefined;
  /** What its 17:00 in New York goes by, and what the time is. */
  swap?: SwapTerms | null | undefined;
  now: number;
};

/** What an order would mean on the price of this moment: size, margin, scenarios, risk. Money in USD. */
export default function TradePreview({ sentence, symbol, side, orderType, amount, stopLoss, takeProfit, prices, leverage, commission, swap, now }: Props) {
  const order = { symbol, side, amount, stop: stopLoss ? priceUnits(stopLoss) : null, target: takeProfit ? priceUnits(takeProfit) : null };
  const result = preview(order, prices, pipOf(symbol), Number(leverage.split(":")[1]), commission);
  const night = overnight(order, openingPrice(side, prices), swap, now);
  const isCharged = /[1-9]/.test(result.commission);
  return (
    <div className="flex flex-col gap-6">
      <p className="font-medium">{sentence}</p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        <Fact name="Order" value={`${orderType === "market" ? sideWord(side) : orderWords({ type: side, orderType })} ${symbol}`} />
        <Fact name="Position size" value={`${result.units} units`} />
        <Fact name={orderType === "market" ? "Current price" : "Waits for"} value={dealPrice(result.price, symbol)} />
        <Fact name="Margin required" value={displayMoney(result.margin)} />
      </dl>
      {result.atStop || result.atTarget ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {result.atStop ? <Exit name="Stop loss scenario" price={dealPrice(stopLoss, symbol)} result={result.atStop} /> : null}
          {result.atTarget ? <Exit name="Take profit scenario" price={dealPrice(takeProfit, symbol)} result={result.atTarget} /> : null}
        </div>
      ) : null}
      <section aria-label="Profit and loss scenarios">
        <h3 className="mb-2 font-semibold">Profit and loss scenarios</h3>
        <table className="w-full text-table">
          <thead>
            <tr className="border-b border-line text-soft">
              <th scope="col" className="py-2 text-left font-medium">
                Price move
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                If it rises
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                If it falls
              </th>
            </tr>
          </thead>
          <tbody>
            {result.scenarios.map(({ move, gain, loss }) => (
              <tr key={move} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-2 text-left font-normal">
                  {move}
                </th>
                <td className="py-2 text-right">
                  <Money value={side === "buy" ? gain : loss} />
                </td>
                <td className="py-2 text-right">
                  <Money value={side === "buy" ? loss : gain} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-label="Risk assessment">
        <h3 className="mb-2 font-semibold">Risk assessment</h3>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
          <Fact name="Spread cost" value={displayMoney(result.spreadCost)} />
          {isCharged ? (
            <Fact
              name="Commission"
              value={`${displayMoney(result.commission)} to open, as much to close (${displayMoney(commission ?? "0")} for each $100,000, up to the cent)`}
            />
          ) : null}
          {night ? (
            <Fact
              name={`Overnight until ${untilText(night.until, now)}${night.nights > 1 ? ", three nights" : ""}`}
              value={displayMoney(night.amount, { sign: true })}
            />
          ) : null}
          <Fact name="Leverage" value={leverage} />
          <Fact name="Trade amount" value={displayMoney(amount)} />
        </dl>
      </section>
      <Notice kind="warning" title="Risk warning">
        {orderType === "market"
          ? "The price moves on while you read this, and the order fills at the price of that moment."
          : "Margin is checked when the order fills; where too little is free then, it is cancelled and you are told."}{" "}
        A gap can pass a stop loss; it then fills at the next price. The spread of {dealPrice(priceText(prices.ask - prices.bid), symbol)} is what it would cost
        to open and close at once.{" "}
        <a href="/terms" target="_blank" rel="noreferrer" className="underline underline-offset-2">
          Terms of service
        </a>
      </Notice>
    </div>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-table text-soft">{name}</dt>
    <dd className="font-semibold tabular-nums">{value}</dd>
  </div>
);

const Exit = ({ name, price, result }: { name: string; price: string; result: string }) => (
  <section aria-label={name} className="rounded-card bg-sunken p-4">
    <h3 className="text-table text-soft">
      {name} at {price}
    </h3>
    <p className="text-heading font-semibold">
      <Money value={result} />
    </p>
  </section>
);

const Money = ({ value }: { value: string }) => <Delta value={displayMoney(value)} />;
