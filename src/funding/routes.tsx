import { financialsOf } from "../accounts/queries";
import type { BodyOf } from "../lib/endpoint";
import { cursorOf, type Placed } from "../lib/cursor";
import { conflict, found, notFound, Refusal } from "../lib/refusal";
import type { Market } from "../market/market";
import type { House, Me } from "../platform/house";
import { Doors, paged, type Visit } from "../platform/http";
import { type Done, once } from "../platform/once";
import { fileResponse, mediaTypeOf, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/upload";
import { networksOf } from "./addresses";
import { announceMoney, announceRequest } from "./announce";
import * as deeds from "./commands";
import { csvOf } from "./csv";
import * as queries from "./queries";
import * as history from "./queries_history";
import { defaultNote, isBelow, isCoin, MINIMUM_PORTAL_DEPOSIT, MINIMUM_WITHDRAWAL, NETWORKS_OF, withdrawalMethod } from "./rules";
import * as calls from "./schema";

/** The trader's doors to money: in, out, between accounts, and what became of it. */
export function fundingDoors(house: House, market: Market): Doors {
  const { sql, bus } = house;

  /** Runs a deed under the caller's Idempotency-Key; `after` happens the first time only. */
  async function deal<T>(me: Me, visit: Visit, deed: () => Promise<Done<T>>, after: (answer: T) => void) {
    const { reply, done } = await once(sql, me, visit.once, deed);
    if (!done.repeated) after(done.answer);
    return reply;
  }
  const announced = (deposit: calls.Deposit) => announceRequest(bus, "deposit", deposit);
  const withdrawalMoved = (withdrawal: deeds.Bare) => announceRequest(bus, "withdrawal", withdrawal);
  const listed = <T extends Placed>(list: T[], limit: number, visit: Visit) => paged(visit.headers, list, limit, cursorOf);

  return new Doors(house)
    .user(calls.createDeposit, async ({ me, body, visit }) => {
      const deposit = await announcedDeposit(house, { ...body, place: body.walletAddress ?? "" });
      return deal(me, visit, () => deeds.requestDeposit(sql, me.id, deposit, visit.once), announced);
    })
    .user(calls.createDepositRequest, async ({ me, body, visit }) => {
      const deposit = await portalDeposit(house, body);
      return deal(me, visit, () => deeds.requestDeposit(sql, me.id, deposit, visit.once), announced);
    })
    .user(calls.listDeposits, async ({ me, query, visit }) => listed(await queries.depositsOf(sql, me.id, query), query.limit, visit))
    .user(calls.listDepositRequests, async ({ me, query, visit }) => listed(await queries.depositsOf(sql, me.id, query), query.limit, visit))
    .user(calls.cancelDeposit, ({ me, params, visit }) => deal(me, visit, () => deeds.cancelDeposit(sql, me.id, params.id, visit.once), announced))
    .upload(calls.uploadProof, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ me, params, file }) => {
      if (!(await queries.isOwnDeposit(sql, params.id, me.id))) throw notFound();
      const deposit = await deeds.proveDeposit(sql, me.id, params.id, mediaTypeOf(file), file);
      announced(deposit);
      return deposit;
    })
    .user(calls.readProof, async ({ me, params }) => {
      const proof = found(await queries.proofOf(sql, params.id, me));
      return fileResponse(proof, `proof-${params.id}`);
    })
    .user(calls.activeWallets, () => queries.activeWallets(sql))
    .user(calls.createWithdrawal, ({ me, body, visit }) => {
      const withdrawal = askedWithdrawal(body);
      return deal(me, visit, () => queries.withTimes(deeds.requestWithdrawal(sql, me, withdrawal, visit.once)), withdrawalMoved);
    })
    .user(calls.listWithdrawals, async ({ me, query, visit }) => listed(await queries.withdrawalsOf(sql, me.id, query), query.limit, visit))
    .user(calls.cancelWithdrawal, ({ me, params, visit }) =>
      deal(me, visit, () => queries.withTimes(deeds.cancelWithdrawal(sql, me.id, params.id, visit.once)), withdrawalMoved),
    )
    .deed(calls.createTransfer, async ({ by, body, visit }) => {
      const { fromAccountId = null, toAccountId = null, amount } = body;
      const { reply, done } = await once(sql, by, visit.once, () =>
        deeds.makeTransfer(sql, by, fromAccountId, toAccountId, amount, deeds.trustedBoard(market), visit.once),
      );
      if (!done.repeated) for (const account of [fromAccountId, toAccountId]) announceMoney(bus, done.userId, account);
      return reply;
    })
    .user(calls.changeBalance, async ({ me, body }) => {
      await deeds.changeBalance(sql, me.id, body, deeds.trustedBoard(market));
      announceMoney(bus, me.id);
      return found(await financialsOf(sql, me.id));
    })
    .user(calls.listTransactions, async ({ me, query, visit }) => {
      const { format, ...search } = query;
      if (format === "csv") return csvOf((cursor, limit) => history.linesOf(sql, me.id, { ...search, cursor, limit }));
      return paged(visit.headers, await history.linesOf(sql, me.id, search), query.limit, ({ id }) => id);
    })
    .user(calls.readStatement, ({ me, query }) => history.statementOf(sql, me.id, query.month, query.accountId))
    .open(calls.listPromotions, () => queries.promotions(sql))
    .user(calls.listReferrals, ({ me, query }) => history.referralsOf(sql, me.id, query.limit));
}

type AskedDeposit = {
  amount: string;
  currency: calls.DepositCurrency;
  method: calls.PaymentMethod;
  cryptoType?: calls.Coin | null | undefined;
  network?: calls.Network | null | undefined;
  /** A wallet's address or id, as its sender names it. */
  place: string;
  notes?: string | null | undefined;
  transactionHash?: string | null | undefined;
  outputIndex?: number | null | undefined;
};

const RETIRED = "This wallet address is no longer in use: send no coins to it. If you have sent some already, add the transaction hash or contact support.";

/**
 * A coin is sent by its chain, whatever method was named; the wallet that was used tells coin and network where they were not. Refuses
 * (conflict) a wallet that staff took off the list since the page was drawn, unless a hash says that the coins are on their way.
 */
async function announcedDeposit({ sql }: House, asked: AskedDeposit): Promise<deeds.Announced> {
  const method = isCoin(asked.currency) ? "crypto" : asked.method;
  const named = isCoin(asked.currency) ? asked.currency : method === "crypto" ? (asked.cryptoType ?? null) : null;
  const wallet = method === "crypto" && asked.place ? await queries.walletNamed(sql, asked.place, named, asked.network ?? null) : null;
  if (wallet && !wallet.isActive && !asked.transactionHash) throw conflict(RETIRED);
  const coin = named ?? wallet?.currency ?? null;
  return {
    amount: asked.amount,
    currency: asked.currency,
    method,
    coin,
    network: asked.network ?? wallet?.network ?? (coin && NETWORKS_OF[coin][0]),
    walletId: wallet?.id ?? null,
    walletAddress: wallet?.address ?? (method === "crypto" && asked.place ? asked.place : null),
    notes: asked.notes ?? "",
    transactionHash: asked.transactionHash || null,
    outputIndex: asked.outputIndex ?? 0,
  };
}

/** What the crypto portal asks for, by call or by form. Refuses minimum_deposit below $300. */
export async function portalDeposit(house: House, body: BodyOf<typeof calls.createDepositRequest>): Promise<deeds.Announced> {
  if (isBelow(body.amount, MINIMUM_PORTAL_DEPOSIT))
    throw new Refusal("minimum_deposit", "Minimum deposit amount is $300", { amount: "Minimum deposit amount is $300" });
  if (body.network && !NETWORKS_OF[body.currency].includes(body.network))
    throw fieldRefusal("invalid", "network", `${body.currency} can't be sent by ${body.network}. Please select a network`);
  const deposit = await announcedDeposit(house, { ...body, method: "crypto", cryptoType: body.currency, place: body.walletUsed ?? "" });
  const note = defaultNote(body.currency, body.amount, deposit.network ?? NETWORKS_OF[body.currency][0]);
  return { ...deposit, notes: deposit.notes || note };
}

const fieldRefusal = (code: string, field: string, message: string) => new Refusal(code, message, { [field]: message });

/** Where and how the money goes. A coin's address must be one of its chain; for USD the text names an account as people write it. */
function askedWithdrawal(body: {
  amount: string;
  currency: calls.WithdrawalCurrency;
  walletAddress: string;
  method?: calls.PaymentMethod | null | undefined;
  network?: calls.Network | null | undefined;
}): deeds.Asked {
  const { amount, currency, walletAddress } = body;
  const method = withdrawalMethod(currency, body.method ?? null);
  let network: calls.Network | null = null;
  if (isCoin(currency)) {
    const possible = networksOf(currency, walletAddress);
    // Coins wrapped on another chain go there only where that was said.
    const usual = body.network ?? possible.find((each) => NETWORKS_OF[currency].includes(each));
    if (!usual || possible.length === 0)
      throw fieldRefusal("invalid", "walletAddress", `This is not a valid ${currency} address. Please check each character.`);
    network = usual;
    if (!possible.includes(network)) throw fieldRefusal("invalid", "network", `This ${currency} address is not one of ${network}.`);
  }
  const minimum = MINIMUM_WITHDRAWAL[method];
  if (isBelow(amount, minimum)) throw fieldRefusal("minimum_withdrawal", "amount", `The minimum withdrawal by ${method} is $${minimum.replace(/\.00$/, "")}.`);
  return { amount, currency, method, network, walletAddress };
}
