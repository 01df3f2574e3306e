import { chosenAccount } from "../accounts/rules";
import type { TradingAccount } from "../accounts/schema";
import type { RequestContext } from "../platform/http/request_context";

/** Names the account that was chosen last, until the browser is closed; no secret, and gone with 'Clear history'. */
const COOKIE = /(?:^|;\s*)account=([0-9a-f-]{36})(?:;|$)/;

/**
 * The account of a trading screen: the one in its address, which is then remembered for all trading screens; else the one chosen last in this
 * browser; else the one that takes orders without an account.
 */
export function accountFor({ url, request, headers, secure }: RequestContext, accounts: TradingAccount[]): TradingAccount | undefined {
  const asked = url.searchParams.get("account");
  const last = COOKIE.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
  const account = chosenAccount(accounts, asked, last);
  if (account && account.id === asked && asked !== last) headers.append("Set-Cookie", `account=${account.id}; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`);
  return account;
}
