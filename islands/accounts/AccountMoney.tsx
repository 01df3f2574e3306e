import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney, subtract } from "../../src/lib/money";
import { type AccountResult, getAccountResult } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import { Fact, Facts } from "../../views/accounts/Facts";
import { equityOf, levelText } from "../../src/trading/rules_prices";
import { Profit } from "../../views/accounts/Profit";
import { call } from "../wire/api";
import { accountNow, positions, quoteOf, useTradingStore } from "../runtime/trading_store";
import { inOrder } from "../runtime/in_order";
import { island } from "../runtime/island";
import { useTint } from "../runtime/live";

type Props = {
  account: TradingAccount;
  /** Its open positions and waiting orders. */
  positions: Position[];
  result: AccountResult;
};

/** An account's balance, margin and free margin on the newest quotes, and its trading result, which is fetched again when the balance changes. */
export function AccountMoney({ account: given, positions: first, result: firstResult }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: [given], positions: first });
  const account = accountNow(given, here);
  const open = ((here && positions.value) || first).filter(({ accountId }) => accountId === given.id);
  const equity = here ? equityOf(account, open, (symbol) => quoteOf(symbol).value) : account.equity;
  const element = useTint(equity);
  const [{ realised, closed, won, winRate }, setResult] = useState(firstResult);
  const { id, balance } = account;
  const shown = useRef(balance);
  const [take] = useState(inOrder);
  useEffect(() => {
    if (shown.current === balance) return;
    shown.current = balance;
    take(() => call(getAccountResult, undefined, { params: { id } }), setResult).catch((error: unknown) =>
      console.warn("the result could not be looked at anew", error),
    );
  }, [id, balance, take]);
  return (
    <Facts>
      <Fact name="Balance">{displayMoney(account.balance)}</Fact>
      <Fact name="Equity">
        <span ref={element} className="rounded-sm">
          {displayMoney(equity)}
        </span>
      </Fact>
      <Fact name="Used margin">{displayMoney(account.margin)}</Fact>
      <Fact name="Free margin">{displayMoney(subtract(equity, account.margin))}</Fact>
      <Fact name="Margin level">{levelText(equity, account.margin)}</Fact>
      <Fact name="Realised P&L">
        <Profit value={realised} />
      </Fact>
      <Fact name="Win rate">{closed === 0 ? "No closed trades yet" : `${winRate}%, ${won} of ${closed}`}</Fact>
    </Facts>
  );
}

export default island("AccountMoney", AccountMoney);
