import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { User } from "../identity/schema";
import { text } from "../lib/shapes";

/** A tier: what it asks and what it gives. Money and pips as decimal strings, leverage as advertised ('up to'). */
export const accountTypeRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  minimumDeposit: v.string(),
  spreadsFrom: v.string(),
  leverage: v.string(),
  features: v.array(v.string()),
  isActive: v.boolean(),
});
export type AccountType = v.InferOutput<typeof accountTypeRow>;

/** A trading account with its state on the quotes of this moment; `marginLevel` in per cent, null with no margin in use. */
export const accountRow = v.strictObject({
  id: v.string(),
  accountNumber: v.string(),
  accountType: v.string(),
  accountTypeId: v.string(),
  balance: v.string(),
  equity: v.string(),
  margin: v.string(),
  freeMargin: v.string(),
  marginLevel: v.nullable(v.string()),
  isDemo: v.boolean(),
  status: v.picklist(["active", "closed"]),
  leverage: v.string(),
  spreadsFrom: v.string(),
  minimumDeposit: v.string(),
  fundedTotal: v.string(),
  lastTradedAt: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type TradingAccount = v.InferOutput<typeof accountRow>;

/** The client's accountNumber and balance, where it sends them, are ignored: the server makes both. */
export const newAccountBody = v.object({
  accountTypeId: text(20, "Please select an account type"),
  isDemo: v.optional(v.boolean("isDemo must be true or false"), false),
});

export const listAccountTypes = endpoint("GET /api/account-types", { answer: answer<AccountType[]>() });
export const listAccounts = endpoint("GET /api/trading-accounts", { answer: answer<TradingAccount[]>() });
export const createAccount = endpoint("POST /api/trading-accounts", { body: newAccountBody, answer: answer<TradingAccount>(), status: 201 });

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
