import { findUser } from "../identity/queries";
import { add } from "../lib/money";
import { notFound } from "../lib/refusal";
import type { Market } from "../market/market";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, type RequestContext } from "../platform/http/routes";
import { type Done, once } from "../platform/http/idempotency";
import * as commands from "./commands";
import { accountOf, accountsOf, accountTypes, financialsOf } from "./queries";
import * as calls from "./schema";

/** The routes to tiers, accounts and a person's money in sum. */
export function accountRoutes(app: AppContext, market: Market): Routes {
  const board = () => market.board.arrays();

  /** Runs a command on an account under the caller's Idempotency-Key; its streams and the engine look again the first time only. */
  async function deal(me: Me, context: RequestContext, command: () => Promise<Done<calls.TradingAccount>>) {
    const { reply, done } = await once(app.sql, me, context.idempotency, command);
    if (!done.repeated) app.bus.publish("account", { userId: me.id, accountId: done.answer.id });
    return reply;
  }

  return new Routes(app, import.meta.path)
    .open(calls.listAccountTypes, () => accountTypes(app.sql))
    .user(calls.listAccounts, ({ me }) => accountsOf(app.sql, me.id, board()))
    .user(calls.createAccount, ({ me, body, context }) =>
      deal(me, context, () => commands.openAccount(app.sql, me.id, body.accountTypeId, body.isDemo ?? false, context.idempotency)),
    )
    .user(calls.renameAccount, async ({ me, params, body }) => {
      await commands.renameAccount(app.sql, me.id, params.id, body.name || null);
      app.bus.publish("account", { userId: me.id, accountId: params.id });
      return present(await accountOf(app.sql, me.id, params.id, board()));
    })
    .user(calls.resetDemo, ({ me, params, context }) => deal(me, context, () => commands.resetDemo(app.sql, me.id, params.id, context.idempotency)))
    .user(calls.closeAccount, ({ me, params, context }) => deal(me, context, () => commands.closeAccount(app.sql, me.id, params.id, context.idempotency)))
    .user(calls.getDashboard, async ({ me }) => {
      const [found, accounts] = await Promise.all([findUser(app.sql, me.id), accountsOf(app.sql, me.id, board())]);
      const user = present(found);
      return { user, accounts, totalBalance: add(user.accountBalance, user.tradingBalance) };
    })
    .user(calls.getFinancials, async ({ me }) => present(await financialsOf(app.sql, me.id)));
}

function present<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}
