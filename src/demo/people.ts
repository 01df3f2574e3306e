import { openAccount } from "../accounts/commands";
import { registerPerson } from "../identity/commands";
import { confirmSelf } from "../identity/commands_proof";
import { openAccountsOf, sessionOf } from "./queries";
import type { AppContext, Me } from "../platform/app_context";
import { contextOf } from "../platform/http/request_context";
import type { Name } from "./cast";

export type Account = { id: string; isDemo: boolean };
export type Trader = Me & { accounts: Account[]; referralCode: string; funded: boolean };

const nobodysRequest = () => contextOf({ request: new Request("http://localhost/"), server: null }, { publicUrl: null, trustedProxy: null });

/** Registers a person as the form does. */
export async function register(app: AppContext, name: Name, password: string, referralCode: string): Promise<Trader> {
  const user = await registerPerson(app, nobodysRequest(), { ...name, password, referralCode, country: null });
  const me: Me = { ...user, permissions: [], heldBack: false, sessionId: await sessionOf(app.sql, user.id) };
  return { ...me, referralCode: user.referralCode, accounts: await openAccountsOf(app.sql, user.id), funded: false };
}

/** Opens a live account of a tier. */
export async function openLive({ sql }: AppContext, trader: Trader, tier: string): Promise<Account> {
  const { answer } = await openAccount(sql, trader.id, tier, false, null);
  const account = { id: answer.id, isDemo: false };
  trader.accounts.push(account);
  return account;
}

/** Gives the password again, as before a withdrawal to a new address. */
export const confirm = ({ sql }: AppContext, trader: Trader, password: string) => confirmSelf(sql, trader, { password, code: "" });
