import type { BodyOf } from "../lib/endpoint";
import { conflict, Refusal } from "../lib/refusal";
import type { Db } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";
import { networksOf } from "./addresses";
import type { Announced, Asked } from "./commands";
import { activeWallets, walletNamed } from "./queries";
import { defaultNote, isBelow, isCoin, MINIMUM_PORTAL_DEPOSIT, MINIMUM_WITHDRAWAL, NETWORKS_OF, walletMissing, withdrawalMethod } from "./rules";
import type * as calls from "./schema";

/** What people ask for, in or out, held to the rules before the database is asked. */

type AskedDeposit = {
  amount: string;
  currency: calls.DepositCurrency;
  method: calls.PaymentMethod;
  cryptoType?: calls.Coin | null | undefined;
  network?: calls.Network | null | undefined;
  /** A wallet's address or id, as its sender names it. */
  place: string;
  /** It comes from a screen that shows where to send the coin, so there must be a wallet to send it to. */
  shown: boolean;
  notes?: string | null | undefined;
  transactionHash?: string | null | undefined;
  outputIndex?: number | null | undefined;
};

const RETIRED = "This wallet address is no longer in use: send no coins to it. If you have sent some already, add the transaction hash or contact support.";

/**
 * A coin is sent by its chain, whatever method was named. Where coin and network are missing, the wallet that was used says them. Refuses
 * (conflict) a wallet taken off the list since the page was drawn, and (wallet_unavailable) a coin that no wallet takes. With a transaction
 * hash the coins are on their way, and neither is refused.
 */
export async function announcedDeposit({ sql }: AppContext, asked: AskedDeposit): Promise<Announced> {
  const method = isCoin(asked.currency) ? "crypto" : asked.method;
  const named = isCoin(asked.currency) ? asked.currency : method === "crypto" ? (asked.cryptoType ?? null) : null;
  const wallet = method === "crypto" && asked.place ? await walletNamed(sql, asked.place, named, asked.network ?? null) : null;
  if (wallet && !wallet.isActive && !asked.transactionHash) throw conflict(RETIRED);
  const coin = named ?? wallet?.currency ?? null;
  if (asked.shown && coin && !wallet && !asked.transactionHash && !(await isOffered(sql, coin, asked.network ?? null)))
    throw fieldRefusal("wallet_unavailable", "currency", walletMissing(coin));
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

/** Whether some wallet takes this coin now, by this network (null: by any). */
const isOffered = async (sql: Db, coin: calls.Coin, network: calls.Network | null) =>
  (await activeWallets(sql)).some((wallet) => wallet.currency === coin && (network === null || wallet.network === network));

/** What the crypto portal asks for, by call or by form. Refuses minimum_deposit below $300. */
export async function portalDeposit(app: AppContext, body: BodyOf<typeof calls.createDepositRequest>): Promise<Announced> {
  if (isBelow(body.amount, MINIMUM_PORTAL_DEPOSIT))
    throw new Refusal("minimum_deposit", "Minimum deposit amount is $300", { amount: "Minimum deposit amount is $300" });
  if (body.network && !NETWORKS_OF[body.currency].includes(body.network))
    throw fieldRefusal("invalid", "network", `${body.currency} can't be sent by ${body.network}. Please select a network`);
  const deposit = await announcedDeposit(app, { ...body, method: "crypto", cryptoType: body.currency, place: body.walletUsed ?? "", shown: !!body.network });
  const note = defaultNote(body.currency, body.amount, deposit.network ?? NETWORKS_OF[body.currency][0]);
  return { ...deposit, notes: deposit.notes || note };
}

export const fieldRefusal = (code: string, field: string, message: string) => new Refusal(code, message, { [field]: message });

/** Where and how the money goes. A coin's address must be one of its chain; for USD the text names an account as people write it. */
export function askedWithdrawal(body: {
  amount: string;
  currency: calls.WithdrawalCurrency;
  walletAddress: string;
  method?: calls.PaymentMethod | null | undefined;
  network?: calls.Network | null | undefined;
}): Asked {
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
