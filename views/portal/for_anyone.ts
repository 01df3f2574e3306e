import BalanceCard from "../../islands/funding/BalanceCard";
import DealTools from "../../islands/trading/DealTools";
import MarketWatch from "../../islands/trading/MarketWatch";
import OrderPanel from "../../islands/trading/OrderPanel";
import PlatformTabs from "../../islands/trading/PlatformTabs";
import PortalTabs from "../../islands/portal/PortalTabs";
import PushSwitch from "../../islands/notifications/PushSwitch";
import PriceChart from "../../islands/trading/PriceChart";
import Screener from "../../islands/trading/Screener";
import TransferForm from "../../islands/funding/TransferForm";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import { drawnForAnyone } from "../../src/lib/anyone";
import type { Position } from "../../src/trading/schema";
import type { Standing } from "../identity/standing";
import type { SupportProps } from "../support/SupportPage";

/**
 * Which islands say the same to all accounts of the same terms until the next tick, and what of their props that depends on:
 * no money of a person, no name and no number of an account is among it. What an island begins to show of its props has to stand here, too.
 */

drawnForAnyone(PriceChart, (props) => ({ account: "", as: () => ({ ...props, accountId: null, hasLayouts: false }) }));

/** While the account has a position open, what it brings stands above the prices. */
drawnForAnyone(OrderPanel, ({ account, strip, ...props }) =>
  strip?.open === 0
    ? { account: account.id, as: (id) => ({ ...props, account: termsOf(account, id), strip: { ...strip, path: strip.path.replace(account.id, id) } }) }
    : null,
);

drawnForAnyone(
  DealTools,
  ({ account, positions, symbol }) =>
    account && {
      account: account.id,
      as: (id) => ({ account: termsOf(account, id), positions: countOf(positions, account.id, id), symbol, quote: null, blocked: null }),
    },
);

/** The watchlists; the other tabs show what is one's own. */
drawnForAnyone(PortalTabs, ({ tab, path, accountId, positions, symbol, watched, cards }) =>
  (tab === null || tab === "forex" || tab === "crypto") && accountId
    ? {
        account: accountId,
        as: (id) => ({
          ...NOTHING_OWN,
          ...{ tab, symbol, watched, cards },
          path: path.replace(accountId, id),
          accountId: id,
          positions: countOf(positions, accountId, id),
        }),
      }
    : null,
);

drawnForAnyone(PlatformTabs, (props) => (props.accountId === null ? null : { account: props.accountId, as: (id) => ({ ...props, accountId: id }) }));
drawnForAnyone(Screener, ({ account, ...props }) => account && { account: account.id, as: (id) => ({ ...props, account: { ...account, id } }) });
drawnForAnyone(MarketWatch, ({ account, ...props }) => account && { account: account.id, as: (id) => ({ ...props, account: { ...account, id } }) });

/** Whoever has no live money sees the same. */
drawnForAnyone(BalanceCard, ({ financials: { accountBalance, tradingBalance, totalProfit } }) =>
  [accountBalance, tradingBalance, totalProfit].every((each) => each === "0.00")
    ? { account: "", as: () => ({ financials: { firstName: "", lastName: "", email: "", accountBalance, tradingBalance, totalProfit } }) }
    : null,
);

/** Whoever has no live account is told how to get one. */
drawnForAnyone(TransferForm, ({ accounts }) =>
  accounts.some(({ isDemo, status }) => !isDemo && status === "active") ? null : { account: "", as: () => ({ balance: "0.00", accounts: [] }) },
);

/** Asks the browser whose it is. */
drawnForAnyone(PushSwitch, () => ({ account: "", as: () => ({ person: "" }) }));

/** Of what only other tabs show. */
const NOTHING_OWN = { accounts: [], history: null, cancelled: null, financials: {} as Financials, standing: {} as Standing, support: {} as SupportProps };

/** What of an account decides at which prices and by which leverage it deals. */
const termsOf = ({ isDemo, leverage, caps, spreadsFrom, spreads }: TradingAccount, id: string) =>
  ({ id, isDemo, leverage, caps, spreadsFrom, spreads }) as TradingAccount;

/** How many positions and waiting orders an account has, as a list of them that says nothing else. */
const countOf = (positions: readonly Position[], account: string, id: string) =>
  positions.filter(({ accountId }) => accountId === account).map(({ status }) => ({ accountId: id, status }) as Position);
