import type { BodyOf } from "../lib/endpoint";
import { conflict, found, invalidField } from "../lib/refusal";
import { type Sql, type Tx, within } from "../platform/database/db";
import type { Act } from "../platform/app_context";
import { canonical, networksOf } from "./addresses";
import { walletById } from "./queries";
import type { Coin, createWallet, changeWallet, Network, Wallet } from "./schema";

/** What staff do to the wallets that customers send coins to; each command one transaction with its line in the audit book. */

type Settings = {
  currency: Coin;
  network: Network;
  wallet_address: string;
  wallet_type: string;
  description: string;
  daily_limit: string | null;
  monthly_limit: string | null;
  is_default: boolean;
  is_active: boolean;
};
const FRESH = { wallet_type: "deposit", description: "", daily_limit: null, monthly_limit: null, is_default: false, is_active: true };

const settingsOf = (wallet: Wallet): Settings => ({
  currency: wallet.currency,
  network: wallet.network,
  wallet_address: wallet.walletAddress,
  wallet_type: wallet.walletType,
  description: wallet.description,
  daily_limit: wallet.dailyLimit,
  monthly_limit: wallet.monthlyLimit,
  is_default: wallet.isDefault,
  is_active: wallet.isActive,
});

/** What was sent, without what was left out. */
function changesOf(body: BodyOf<typeof changeWallet>): Partial<Settings> {
  const asked = {
    currency: body.currency,
    network: body.network,
    wallet_address: body.walletAddress,
    wallet_type: body.walletType,
    description: body.description,
    daily_limit: body.dailyLimit,
    monthly_limit: body.monthlyLimit,
    is_default: body.isDefault,
    is_active: body.isActive,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

/** An address that can't be one of that chain is refused: money sent there would be lost. */
function fitting(wallet: Settings): Settings {
  if (!networksOf(wallet.currency, wallet.wallet_address).includes(wallet.network))
    throw invalidField("walletAddress", `This is not a valid address for ${wallet.currency} on ${wallet.network}. Please check each character.`);
  return { ...wallet, wallet_address: canonical(wallet.wallet_address), is_default: wallet.is_default && wallet.is_active };
}

/** Makes one change of the list at a time, so that there is one default and no address twice. Refuses where the actor is no administrator any more. */
const alone = (sql: Sql, act: Act, command: (tx: Tx) => Promise<Wallet>): Promise<Wallet> =>
  within(sql, async (tx) => {
    await tx`lock table deposit_wallets in share row exclusive mode`;
    await tx`select refuse_own(${act.admin.id}, null)`;
    return command(tx);
  });

async function refuseTwice(tx: Tx, wallet: Settings, self: string | null) {
  const [other] = await tx`
    select from deposit_wallets
    where currency = ${wallet.currency} and network = ${wallet.network} and wallet_address = ${wallet.wallet_address} and id is distinct from ${self}::uuid
  `;
  if (other) throw conflict("This wallet is already on the list.");
  if (wallet.is_default)
    await tx`update deposit_wallets set is_default = false where currency = ${wallet.currency} and network = ${wallet.network} and is_default and id is distinct from ${self}::uuid`;
}

/** What is set of a wallet. Refuses (conflict) where not the version stands that was looked at; undefined: whatever stands. */
async function settingsSeen(sql: Sql, id: string, seen: string | undefined): Promise<Settings> {
  const wallet = found(await walletById(sql, id));
  if (seen !== undefined && seen !== wallet.version) throw conflict("This wallet was changed meanwhile. Look at it again before you change it.");
  return settingsOf(wallet);
}

/**
 * Refuses what could not be listed so: an address of another chain, or one that is there already; and a version that does not stand any more. `id` is
 * null for a new one.
 */
export async function refuseUnfit(sql: Sql, id: string | null, body: BodyOf<typeof changeWallet>): Promise<void> {
  const before = id === null ? { ...FRESH } : await settingsSeen(sql, id, body.version);
  const wallet = fitting({ ...before, ...changesOf(body) } as Settings);
  const others = await sql`
    select from deposit_wallets
    where currency = ${wallet.currency} and network = ${wallet.network} and wallet_address = ${wallet.wallet_address} and id is distinct from ${id}::uuid
    limit 1
  `;
  if (others.length > 0) throw conflict("This wallet is already on the list.");
}

async function audit(tx: Tx, act: Act, action: string, walletId: string, before: Settings | null, after: Settings) {
  await tx`
    select audit_append(
      ${act.admin.id}, null, ${action}, ${JSON.stringify({ walletId })}::text::json, ${JSON.stringify(before ?? {})}::text::json, ${JSON.stringify(after)}::text::json,
      '', ${act.ip}, ${act.userAgent}
    )
  `;
}

/** Lists a wallet. Refuses an address that can't be of that network, and one that is listed already. */
export const createDepositWallet = (sql: Sql, act: Act, body: BodyOf<typeof createWallet>): Promise<Wallet> =>
  alone(sql, act, async (tx) => {
    const wallet = fitting({ ...FRESH, currency: body.currency, network: body.network, wallet_address: body.walletAddress, ...changesOf(body) });
    await refuseTwice(tx, wallet, null);
    const [made] = await tx<{ id: string }[]>`insert into deposit_wallets ${tx(wallet)} returning id`;
    const id = made?.id ?? "";
    await audit(tx, act, "wallet.create", id, null, wallet);
    return found(await walletById(tx, id));
  });

/** Changes what is named and leaves the rest. Refuses (conflict) a version that does not stand any more. */
export const changeDepositWallet = (sql: Sql, act: Act, id: string, body: BodyOf<typeof changeWallet>, action = "wallet.change"): Promise<Wallet> =>
  alone(sql, act, async (tx) => {
    const before = await settingsSeen(tx, id, body.version);
    const changes = changesOf(body);
    const wallet = fitting({ ...before, ...changes });
    await refuseTwice(tx, wallet, id);
    await tx`update deposit_wallets set ${tx({ ...wallet, updated_at: new Date() })} where id = ${id}`;
    await audit(tx, act, action, id, before, wallet);
    return found(await walletById(tx, id));
  });

/** Takes a wallet off what traders are offered; deposits that name it stay as they are. Refuses (conflict) a version that does not stand any more. */
export const deactivateDepositWallet = (sql: Sql, act: Act, id: string, version: string | undefined) =>
  changeDepositWallet(sql, act, id, { isActive: false, isDefault: false, version }, "wallet.deactivate");
