import type { TradingAccount } from "../../src/accounts/schema";
import { Notice } from "../ui/States";
import { AccountSwitcher } from "./AccountSwitcher";

type Props = {
  title: string;
  accounts: TradingAccount[];
  account: TradingAccount | undefined;
  /** Where the switcher leads; the page itself where it is left out. */
  path?: string;
  /** Why the account can't trade yet. */
  blocked: string | null;
};

/** The heading of a page that trades on one account: the title, the switcher, and what keeps the account from trading. */
export const AccountHeading = ({ title, accounts, account, path, blocked }: Props) => (
  <>
    <div className="relative flex flex-wrap items-center justify-between gap-x-4">
      <h1 className="text-title font-semibold">{title}</h1>
      {account ? <AccountSwitcher accounts={accounts} chosen={account} {...(path === undefined ? {} : { path })} /> : null}
    </div>
    {blocked ? (
      <Notice kind="warning" title="This account can't trade yet.">
        {blocked}
      </Notice>
    ) : null}
  </>
);
