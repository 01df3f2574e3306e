import { openAccount } from "../accounts/commands";
import { confirmPassword, registerPerson } from "../identity/commands";
import { openAccountsOf, sessionOf } from "./queries";
import type { House, Me } from "../platform/house";
import { visitOf } from "../platform/visit";
import type { Name } from "./cast";

export type Account = { id: string; isDemo: boolean };
export type Trader = Me & { accounts: Account[]; referralCode: string; funded: boolean };

const nobodysVisit = () => visitOf({ request: new Request("http://localhost/"), server: null }, null);

/** Registers a person as the form does. */
export async function register(house: House, name: Name, password: string, referralCode: string): Promise<Trader> {
  const user = await registerPerson(house, nobodysVisit(), { ...name, password, referralCode });
  const me: Me = { ...user, heldBack: false, sessionId: await sessionOf(house.sql, user.id) };
  return { ...me, referralCode: user.referralCode, accounts: await openAccountsOf(house.sql, user.id), funded: false };
}

/** Opens a live account of a tier. */
export async function openLive({ sql }: House, trader: Trader, tier: string): Promise<Account> {
  const { answer } = await openAccount(sql, trader.id, tier, false, null);
  const account = { id: answer.id, isDemo: false };
  trader.accounts.push(account);
  return account;
}

/** Gives the password again, as before a withdrawal to a new address. */
export const confirm = ({ sql }: House, trader: Trader, password: string) => confirmPassword(sql, trader, password);
