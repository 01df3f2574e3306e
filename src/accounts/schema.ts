import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { User } from "../identity/schema";
import { idParams, optionalText, text } from "../lib/shapes";
import type { accountRow, accountTypeRow } from "./schema_rows";

/** A tier: what it asks and what it gives. Money and pips as decimal strings, leverage as advertised ('up to'). */
export type AccountType = v.InferOutput<typeof accountTypeRow>;

/** A trading account with its state on the quotes of this moment; `marginLevel` in per cent, null with no margin in use. */
export type TradingAccount = v.InferOutput<typeof accountRow>;

/** The client's accountNumber and balance, where it sends them, are ignored: the server makes both. */
export const newAccountBody = v.object({
  accountTypeId: text(20, "Please select an account type"),
  isDemo: v.optional(v.boolean("isDemo must be true or false"), false),
});

export const listAccountTypes = endpoint("GET /api/account-types", { answer: answer<AccountType[]>() });
export const listAccounts = endpoint("GET /api/trading-accounts", { answer: answer<TradingAccount[]>() });
export const createAccount = endpoint("POST /api/trading-accounts", { once: true, body: newAccountBody, answer: answer<TradingAccount>(), status: 201 });
/** An empty name takes it away. */
export const nameBody = v.object({ name: optionalText(60) });
export const renameAccount = endpoint("PATCH /api/trading-accounts/:id", { params: idParams, body: nameBody, answer: answer<TradingAccount>() });
/** Sets a demo account without positions back to $10,000.00. */
export const resetDemo = endpoint("POST /api/trading-accounts/:id/reset", { once: true, params: idParams, answer: answer<TradingAccount>() });
/** Closes an account without positions and without live money, for good. */
export const closeAccount = endpoint("POST /api/trading-accounts/:id/close", { once: true, params: idParams, answer: answer<TradingAccount>() });

export type Financials = {
  firstName: string;
  lastName: string;
  email: string;
  accountBalance: string;
  tradingBalance: string;
  totalProfit: string;
};
export const getFinancials = endpoint("GET /api/user/financials", { answer: answer<Financials>() });

/** `totalBalance` is what is one's own in live money: the wallet and the live trading accounts. */
export type Dashboard = { user: User; accounts: TradingAccount[]; totalBalance: string };
export const getDashboard = endpoint("GET /api/dashboard", { answer: answer<Dashboard>() });
