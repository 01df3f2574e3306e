import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge } from "../ui/Badge";
import { Menu, MenuLink } from "../ui/Menu";
import { accountName } from "./account_name";

/** Name or type, and number; where there is little room the number's end, which tells accounts apart. */
const Name = ({ account }: { account: TradingAccount }) => (
  <span className="whitespace-nowrap">
    <span className="inline-block max-w-32 truncate sm:max-w-48 align-bottom">{accountName(account)}</span>{" "}
    <span className="number-whole max-sm:hidden">{account.accountNumber}</span>
    <span className="number-end sm:hidden">…{account.accountNumber.slice(-4)}</span>
  </span>
);

/** Which account the page at `path` trades on: links, so that it needs no script. */
export const AccountSwitcher = ({ accounts, chosen, path = "/traders-portal" }: { accounts: TradingAccount[]; chosen: TradingAccount; path?: string }) => (
  <Menu
    align="row"
    className="max-sm:-ml-3"
    label={
      <>
        <span className="sr-only">Trading account</span>
        <span className="text-ink">
          <Name account={chosen} />
        </span>
        <Mode demo={chosen.isDemo} />
      </>
    }
  >
    {accounts
      .filter(({ status }) => status === "active")
      .map((account) => (
        <MenuLink key={account.id} href={`${path}${path.includes("?") ? "&" : "?"}account=${account.id}`} current={account.id === chosen.id}>
          <Name account={account} />
          <Mode demo={account.isDemo} />
          <span className="ml-auto pl-4 tabular-nums text-soft">{displayMoney(account.balance)}</span>
        </MenuLink>
      ))}
  </Menu>
);

export const Mode = ({ demo }: { demo: boolean }) => <Badge tone={demo ? "warning" : "default"}>{demo ? "Demo" : "Live"}</Badge>;
