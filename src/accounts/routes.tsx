import { findUser } from "../identity/queries";
import { add } from "../lib/money";
import { notFound } from "../lib/refusal";
import { boardWriter } from "../market/board_sql";
import type { Market } from "../market/market";
import type { House, Me } from "../platform/house";
import { Doors, type Visit } from "../platform/http";
import { type Done, once } from "../platform/once";
import * as deeds from "./commands";
import { accountOf, accountsOf, accountTypes, financialsOf } from "./queries";
import * as calls from "./schema";

/** The doors to tiers, accounts and a person's money in sum. */
export function accountDoors(house: House, market: Market): Doors {
  const board = boardWriter(market.board);

  /** Runs a deed on an account under the caller's Idempotency-Key; its streams and the engine look again the first time only. */
  async function deal(me: Me, visit: Visit, deed: () => Promise<Done<calls.TradingAccount>>) {
    const { reply, done } = await once(house.sql, me, visit.once, deed);
    if (!done.repeated) house.bus.publish("account", { userId: me.id, accountId: done.answer.id });
    return reply;
  }

  return new Doors(house)
    .open(calls.listAccountTypes, () => accountTypes(house.sql))
    .user(calls.listAccounts, ({ me }) => accountsOf(house.sql, me.id, board()))
    .user(calls.createAccount, ({ me, body, visit }) =>
      deal(me, visit, () => deeds.openAccount(house.sql, me.id, body.accountTypeId, body.isDemo ?? false, visit.once)),
    )
    .user(calls.renameAccount, async ({ me, params, body }) => {
      await deeds.renameAccount(house.sql, me.id, params.id, body.name || null);
      house.bus.publish("account", { userId: me.id, accountId: params.id });
      return present(await accountOf(house.sql, me.id, params.id, board()));
    })
    .user(calls.resetDemo, ({ me, params, visit }) => deal(me, visit, () => deeds.resetDemo(house.sql, me.id, params.id, visit.once)))
    .user(calls.closeAccount, ({ me, params, visit }) => deal(me, visit, () => deeds.closeAccount(house.sql, me.id, params.id, visit.once)))
    .user(calls.getDashboard, async ({ me }) => {
      const [found, accounts] = await Promise.all([findUser(house.sql, me.id), accountsOf(house.sql, me.id, board())]);
      const user = present(found);
      return { user, accounts, totalBalance: add(user.accountBalance, user.tradingBalance) };
    })
    .user(calls.getFinancials, async ({ me }) => present(await financialsOf(house.sql, me.id)));
}

function present<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}
