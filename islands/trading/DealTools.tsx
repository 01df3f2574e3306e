import type { TradingAccount } from "../../src/accounts/schema";
import type { Position } from "../../src/trading/schema";
import { AlertHost } from "../alerts/AlertHost";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { OneClick } from "./OneClick";
import type { OneClickProps } from "./one_click_terms";
import { QuickLinks } from "./QuickLinks";

const NoAccount = later(() => import("./NoAccount"));

type Props = Omit<OneClickProps, "account"> & { account: TradingAccount | null; positions: Position[] };

/** What stands by the order panel and is seldom used, and in its place where there is no account: one island, since each of its own would be a file of its own. */
function DealTools({ account, symbol, quote, blocked, positions }: Props) {
  if (!account)
    return (
      <>
        <NoAccount />
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

export default island("DealTools", DealTools, { when: "idle", ready: async ({ account }) => account ?? NoAccount.ready() });
