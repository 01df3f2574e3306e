import { DashboardPage } from "../../views/portal/DashboardPage";
import { dashboardTabOf } from "../../views/portal/dashboard_tabs";
import { PortalPage } from "../../views/portal/PortalPage";
import { ReceiptPage } from "../../views/portal/ReceiptPage";
import { tabOf } from "../../views/portal/tabs";
import { accountsOf, financialsOf } from "../accounts/queries";
import type { TradingAccount } from "../accounts/schema";
import { depositsOf, withdrawalsOf } from "../funding/queries";
import { fit } from "../lib/fit";
import { displayMoney, compare } from "../lib/money";
import { notFound } from "../lib/refusal";
import { idParams } from "../lib/shapes";
import type { Market } from "../market/market";
import { instrumentOf } from "../market/schema";
import type { House, Me } from "../platform/house";
import { Doors, redirect } from "../platform/http";
import { historyOf, openPositionsOf, receiptOf } from "../trading/queries";
import type { Trading } from "../trading/trading";
import { historyFor } from "./history";
import { monthProfitOf } from "./queries";
import { Sparks, watchedOf } from "./watch";

const LIST = 100;
const DEFAULT_SYMBOL = "EUR/USD";

/** The signed-in trader's pages. */
export function portalDoors(house: House, market: Market, trading: Trading): Doors {
  const { sql } = house;
  const sparks = new Sparks(market);

  return new Doors(house)
    .userPage("/dashboard", async ({ me, visit }) => {
      const board = trading.board();
      const tab = dashboardTabOf(visit.url.searchParams.get("tab"));
      const [financials, monthProfit, accounts, positions, history, deposits, withdrawals] = await Promise.all([
        financialsOf(sql, me.id),
        monthProfitOf(sql, me.id),
        accountsOf(sql, me.id, board),
        openPositionsOf(sql, me.id, board),
        tab === "transactions" ? historyFor(sql, me.id, visit.url.searchParams) : null,
        tab === "requests" ? depositsOf(sql, me.id, { limit: LIST }) : [],
        tab === "requests" ? withdrawalsOf(sql, me.id, { limit: LIST }) : [],
      ]);
      if (!financials) throw notFound();
      const registrationPending = me.registrationStatus === "pending";
      return {
        title: "Dashboard",
        look: "product",
        body: <DashboardPage {...{ tab, financials, monthProfit, registrationPending, accounts, positions, history, deposits, withdrawals }} />,
      };
    })
    .userPage("/traders-portal", async ({ me, visit }) => {
      const asked = visit.url.searchParams;
      const board = trading.board();
      const [financials, accounts, positions, paths] = await Promise.all([
        financialsOf(sql, me.id),
        accountsOf(sql, me.id, board),
        openPositionsOf(sql, me.id, board),
        sparks.paths(),
      ]);
      if (!financials) throw notFound();
      const account = chosenAccount(accounts, asked.get("account"));
      const history = await historyOf(sql, me.id, { limit: LIST, accountId: account?.id });
      return {
        title: "Traders Portal",
        look: "product",
        body: (
          <PortalPage
            {...{ financials, accounts, positions, history }}
            accountId={account?.id ?? null}
            path={asked.has("account") && account ? `/traders-portal?account=${account.id}` : "/traders-portal"}
            tab={tabOf(asked.get("tab"))}
            symbol={instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL}
            watched={watchedOf(market, paths)}
            simulated={market.simulated}
            blocked={account ? blockOf(me, account) : null}
            registration={me.registrationStatus === "approved" ? "Approved" : "Awaiting approval"}
          />
        ),
      };
    })
    .userPage("/positions/:id/receipt", async ({ me, params }) => {
      const asked = fit(idParams, params);
      if (!asked.ok) throw notFound();
      const receipt = await receiptOf(sql, me.id, asked.value.id);
      return { title: `Receipt ${receipt.position.symbol}`, look: "product", body: <ReceiptPage receipt={receipt} brand={house.config.brandName} /> };
    })
    .userPage("/positions", () => redirect("/traders-portal?tab=positions#lists"))
    .userPage("/analytics", () => redirect("/traders-portal?tab=history#lists"))
    .userPage("/markets", () => redirect("/traders-portal?tab=forex#lists"))
    .userPage("/crypto-trading", () => redirect("/traders-portal?tab=crypto#lists"))
    .userPage("/charts", () => redirect("/traders-portal"))
    .userPage("/trading", ({ visit }) => redirect(withAccount("/traders-portal", visit.url.searchParams.get("account"))))
    .userPage("/accounts", () => redirect("/dashboard?tab=accounts"))
    .page("/demo", ({ me }) => redirect(me ? "/traders-portal" : "/register"))
    .page("/auth", ({ me }) => redirect(me ? "/dashboard" : "/login"));
}

const withAccount = (path: string, account: string | null) => (account ? `${path}?account=${encodeURIComponent(account)}` : path);

/** The account that the address names, else the one that orders without an account go to: last traded on, else the oldest. */
function chosenAccount(accounts: TradingAccount[], asked: string | null): TradingAccount | undefined {
  const active = accounts.filter(({ status }) => status === "active");
  return active.find(({ id }) => id === asked) ?? active[0];
}

/** What a live account still lacks before it may trade, as the server would refuse it. */
function blockOf(me: Me, { isDemo, fundedTotal, minimumDeposit }: TradingAccount): string | null {
  if (isDemo) return null;
  if (me.registrationStatus !== "approved") return "Your registration is awaiting approval.";
  if (compare(fundedTotal, minimumDeposit) >= 0) return null;
  return `It can trade once ${displayMoney(minimumDeposit)} has been moved into it; so far it is ${displayMoney(fundedTotal)}.`;
}
