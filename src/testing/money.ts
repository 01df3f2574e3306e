import type { Deposit, Withdrawal } from "../funding/schema";
import type { Answer, Person, TestApp } from "./app";

/** What tests about money do again and again. */

export type Signed = Awaited<ReturnType<TestApp["trader"]>>;

export const deposit = (person: Person, over: Record<string, unknown> = {}) =>
  person.post<Deposit>("/api/deposits", { amount: 100, currency: "USD", method: "bank", notes: "", ...over });
export const withdrawal = (person: Person, over: Record<string, unknown> = {}) =>
  person.post<Withdrawal>("/api/withdrawals", { amount: 50, currency: "USD", walletAddress: "IBAN DE02 1203 0000 0000 2020 51", ...over });

/** An approved trader with this much in the wallet, below what earns a bonus. */
export async function fundedTrader(app: TestApp, admin: Person, amount: number): Promise<Signed> {
  const person = await app.trader();
  await admin.post(`/api/admin/approve-registration/${person.id}`);
  const { body } = await deposit(person, { amount });
  const { status, text } = await admin.post(`/api/admin/deposits/${body.id}/approve`, { confirmAmount: amount });
  if (status !== 200) throw new Error(`the deposit was not approved: ${text}`);
  return person;
}

export const financials = async (person: Person) =>
  (await person.get<Record<"accountBalance" | "tradingBalance" | "totalProfit", string>>("/api/user/financials")).body;
export const wallet = async (person: Person) => (await financials(person)).accountBalance;

/** How often each status came. */
export function counted(answers: readonly Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
export const times = <T>(count: number, command: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => command(n)));

export const fresh = (key = crypto.randomUUID()) => ({ "Idempotency-Key": key });
