import type { TradingAccount } from "../../src/accounts/schema";
import type { Position } from "../../src/trading/schema";
import { EmptyState } from "../../views/ui/States";
import { AlertHost } from "../alerts/AlertHost";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { OneClick, type OneClickProps } from "./OneClick";
import { QuickLinks } from "./QuickLinks";

const OpenDemoAccount = later(async () => ({ default: (await import("../accounts/OpenDemoAccount")).OpenDemoAccount }));

type Props = Omit<OneClickProps, "account"> & { account: TradingAccount | null; positions: Position[] };

/** What stands by the order panel and is seldom used, and in its place where there is no account: one island, since each of its own would be a file of its own. */
function DealTools({ account, symbol, quote, blocked, positions }: Props) {
  if (!account)
    return (
      <>
        <section aria-label="Execute Trade" className="rounded-card border border-line bg-surface">
          <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
            A demo account comes with $10,000 of virtual money.
          </EmptyState>
        </section>
        <AlertHost />
      </>
    );
  return (
    <>
      <OneClick {...{ account, symbol, quote, blocked }} />
      <AlertHost symbol={symbol} />
      <QuickLinks positions={positions} accountId={account.id} />
    </>
  );
}

export default island("DealTools", DealTools, { when: "idle", ready: async ({ account }) => account ?? OpenDemoAccount.ready() });
