import { findUser } from "../identity/queries";
import { add } from "../lib/money";
import { notFound } from "../lib/refusal";
import { boardWriter } from "../market/board_sql";
import type { Market } from "../market/market";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { openAccount } from "./commands";
import { accountOf, accountsOf, accountTypes, financialsOf } from "./queries";
import * as calls from "./schema";

/** The doors to tiers, accounts and a person's money in sum. */
export function accountDoors(house: House, market: Market): Doors {
  const board = boardWriter(market.board);
  return new Doors(house)
    .open(calls.listAccountTypes, () => accountTypes(house.sql))
    .user(calls.listAccounts, ({ me }) => accountsOf(house.sql, me.id, board()))
    .user(calls.createAccount, async ({ me, body }) => {
      const id = await openAccount(house.sql, me.id, body.accountTypeId, body.isDemo ?? false);
      house.bus.publish("account", { userId: me.id, accountId: id });
      return present(await accountOf(house.sql, me.id, id, board()));
    })
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
