import type { Deed } from "../identity/commands_signatures";
import type { BodyOf } from "../lib/endpoint";
import { found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { announceDepositDecision, announceWithdrawalDecision } from "./announce";
import { approveDeposit, decideWithdrawal, depositRate, type Quoted } from "./commands";
import { changePaymentDetails, refuseHalf } from "./commands_payments";
import { changeDepositWallet, createDepositWallet, refuseUnfit } from "./commands_wallets";
import { referrerPaidBy, walletById, withDecision, withPayout } from "./queries";
import { allPayments, paymentSeen } from "./queries_payments";
import type { changePayment, changeWallet, createWallet, PaymentDetails, StaffDeposit, StaffPayment, StaffWithdrawal, Wallet } from "./schema";

/** What of money takes a second person, where the house says so. */

type Approval = { id: string; notes: string };
type Payout = { id: string; notes: string; hash: string | null };
type NewWallet = BodyOf<typeof createWallet>;
type WalletChange = { id: string } & BodyOf<typeof changeWallet>;
type Payment = { method: PaymentDetails["method"] } & BodyOf<typeof changePayment>;
/** What is compared when it is signed is what is said, which an earlier release wrote down without a version. */
function saidOf(body: Payment): PaymentDetails {
  const { version: _, ...details } = body;
  return details;
}

type RequestState = { status: string; amount: string; currency: string; userId: string; client: string };
async function requestOf(sql: Sql, table: "deposits" | "withdrawals", id: string): Promise<RequestState> {
  const [row] = await sql<RequestState[]>`
    select r.status, r.amount::text as amount, r.currency, r.user_id as "userId", u.first_name || ' ' || u.last_name as client
    from ${sql(table)} r join users u on u.id = r.user_id where r.id = ${id}
  `;
  return found(row ?? null);
}
const approved = (_body: object, before: object) => ({ ...before, status: "approved" });
const requestTitle = (what: string, before: object) => {
  const { amount, currency, client } = before as RequestState;
  return `Approve the ${what} of ${amount} ${currency}, ${client}`;
};

/** What of a wallet says where money goes. */
const placeOf = ({ currency, network, walletAddress, isActive, isDefault }: Wallet) => ({ currency, network, walletAddress, isActive, isDefault });
const placed = ({ currency, network, walletAddress, isActive, isDefault }: Partial<NewWallet>) =>
  Object.fromEntries(Object.entries({ currency, network, walletAddress, isActive, isDefault }).filter(([, value]) => value !== undefined));

export function fundingDeeds({ bus }: Pick<AppContext, "bus">, market: Quoted) {
  const walletTold = () => bus.publish("staff", { about: "setting" });
  const deposit: Deed<Approval, Awaited<ReturnType<typeof approveDeposit>>> = {
    kind: "deposit.approve",
    deed: "deposit",
    permission: "deposits.decide",
    object: ({ id }) => id,
    title: (_, before) => requestTitle("deposit", before),
    before: (tx, { id }) => requestOf(tx, "deposits", id),
    after: approved,
    person: async (tx, { id }) => (await requestOf(tx, "deposits", id)).userId,
    barred: async (tx, { id }) => {
      const referrer = await referrerPaidBy(tx, id, await depositRate(tx, market, id));
      return referrer === null ? null : { id: referrer, why: "Approving this deposit pays you the bonus for referring its owner. Ask another administrator." };
    },
    worth: async (tx, { id }) => {
      const rate = await depositRate(tx, market, id);
      const [row] = await tx<{ usd: string | null }[]>`select round(amount * ${rate}::numeric, 2)::text as usd from deposits where id = ${id}`;
      return row?.usd ?? null;
    },
    counts: (_, before) => (before as RequestState).status === "pending",
    run: async (tx, act, { id, notes }) => withDecision(approveDeposit(tx, act, id, await depositRate(tx, market, id), notes, null)),
    paid: ({ referral }) => referral?.userId ?? null,
    shown: ({ answer }) => answer,
    told: ({ answer, referral }) => announceDepositDecision(bus, answer as StaffDeposit, referral),
  };
  const withdrawal: Deed<Payout, { answer: StaffWithdrawal }> = {
    kind: "withdrawal.approve",
    deed: "withdrawal",
    permission: "withdrawals.decide",
    object: ({ id }) => id,
    title: (_, before) => requestTitle("withdrawal", before),
    before: (tx, { id }) => requestOf(tx, "withdrawals", id),
    after: approved,
    person: async (tx, { id }) => (await requestOf(tx, "withdrawals", id)).userId,
    worth: async (tx, { id }) => (await requestOf(tx, "withdrawals", id)).amount,
    counts: (_, before) => (before as RequestState).status === "pending",
    run: (tx, act, { id, notes, hash }) => withPayout(decideWithdrawal(tx, act, id, { status: "approved", note: notes, hash }, null)),
    shown: ({ answer }) => answer,
    told: ({ answer }) => announceWithdrawalDecision(bus, answer),
  };
  const create: Deed<NewWallet, Wallet> = {
    kind: "wallet.create",
    deed: "wallet",
    permission: "wallets.change",
    object: ({ currency, network, walletAddress }) => `${currency} ${network} ${walletAddress}`,
    title: ({ currency, network, walletAddress }) => `Deposits of ${currency} on ${network} go to ${walletAddress}`,
    before: () => Promise.resolve({}),
    after: (body) => placed({ isActive: true, ...body }),
    fit: (tx, body) => refuseUnfit(tx, null, body),
    counts: ({ isActive = true }) => isActive,
    run: (tx, act, body) => createDepositWallet(tx, act, body),
    told: walletTold,
  };
  const change: Deed<WalletChange, Wallet> = {
    kind: "wallet.change",
    deed: "wallet",
    permission: "wallets.change",
    object: ({ id }) => id,
    title: (body, before) => {
      const { currency, network, walletAddress } = { ...(before as ReturnType<typeof placeOf>), ...placed(body) };
      return `Deposits of ${currency} on ${network} go to ${walletAddress}`;
    },
    before: async (tx, { id }) => placeOf(found(await walletById(tx, id))),
    after: (body, before) => ({ ...before, ...placed(body) }),
    seen: async (tx, body) => ({ ...body, version: body.version ?? found(await walletById(tx, body.id)).version }),
    fit: (tx, { id, ...body }) => refuseUnfit(tx, id, body),
    // Whatever else is said of a wallet moves no money; nor does one that is no longer offered.
    counts: (body, before) => {
      const [was, is] = [before as ReturnType<typeof placeOf>, { ...before, ...placed(body) } as ReturnType<typeof placeOf>];
      return is.isActive && Object.entries(is).some(([name, value]) => was[name as keyof typeof was] !== value);
    },
    run: (tx, act, { id, ...body }) => changeDepositWallet(tx, act, id, body),
    told: walletTold,
  };
  const payment: Deed<Payment, StaffPayment> = {
    kind: "payment.change",
    deed: "wallet",
    permission: "wallets.change",
    object: ({ method }) => method,
    title: ({ method, accountNumber, link }) => `Deposits by ${method} go to ${accountNumber || link || "what the instructions say"}`,
    before: (tx, { method }) => paymentSeen(tx, method, undefined),
    after: saidOf,
    seen: async (tx, body) => ({ ...body, version: body.version ?? (await allPayments(tx)).find(({ method }) => method === body.method)?.version }),
    fit: async (tx, body) => {
      refuseHalf(saidOf(body));
      await paymentSeen(tx, body.method, body.version);
    },
    counts: ({ accountName, bankName, accountNumber, bic, link, instructions }) =>
      [accountName, bankName, accountNumber, bic, link, instructions].some((each) => each !== ""),
    run: (tx, act, { method, ...body }) => changePaymentDetails(tx, act, method, body),
    told: walletTold,
  };
  return { deposit, withdrawal, create, change, payment };
}
