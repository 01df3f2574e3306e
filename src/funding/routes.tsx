import { financialsOf } from "../accounts/queries";
import { cursorOf, type Placed } from "../lib/cursor";
import { found, notFound } from "../lib/refusal";
import type { Market } from "../market/market";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, paged, type RequestContext } from "../platform/http/routes";
import { type Done, once } from "../platform/http/idempotency";
import { fileResponse, inspector, UPLOAD_LIMIT, UPLOAD_TYPES } from "../platform/http/upload";
import { proofResponse } from "../proof/queries_files";
import { announceMoney, announceRequest } from "./announce";
import * as commands from "./commands";
import { csvOf } from "./csv";
import { coinQuote } from "./commands_payments";
import { offeredPayments } from "./queries_payments";
import { statementFile, withProofs } from "./queries_proofs";
import * as queries from "./queries";
import * as history from "./queries_history";
import { announcedDeposit, askedWithdrawal, portalDeposit } from "./requests";
import * as calls from "./schema";

/** The trader's routes to money: in, out, between accounts, and what became of it. */
export function fundingRoutes(app: AppContext, market: Market): Routes {
  const { sql, bus } = app;

  /** Runs a command under the caller's Idempotency-Key; `after` happens the first time only. */
  async function deal<T>(me: Me, context: RequestContext, command: () => Promise<Done<T>>, after: (answer: T) => void) {
    const { reply, done } = await once(sql, me, context.idempotency, command);
    if (!done.repeated) after(done.answer);
    return reply;
  }
  const announced = (deposit: calls.Deposit) => announceRequest(bus, "deposit", deposit);
  const withdrawalMoved = (withdrawal: commands.Bare) => announceRequest(bus, "withdrawal", withdrawal);
  const listed = <T extends Placed>(list: T[], limit: number, context: RequestContext) => paged(context.headers, list, limit, cursorOf);

  return new Routes(app, import.meta.path)
    .user(calls.createDeposit, async ({ me, body, context }) => {
      const deposit = await announcedDeposit(app, { ...body, place: body.walletAddress ?? "", shown: !!body.cryptoType });
      return deal(me, context, () => commands.requestDeposit(app, me.id, deposit, context.idempotency), announced);
    })
    .user(calls.createDepositRequest, async ({ me, body, context }) => {
      const deposit = await portalDeposit(app, body);
      return deal(me, context, () => commands.requestDeposit(app, me.id, deposit, context.idempotency), announced);
    })
    .user(calls.listDeposits, async ({ me, query, context }) => listed(await queries.depositsOf(sql, me.id, query), query.limit, context))
    .user(calls.listDepositRequests, async ({ me, query, context }) => listed(await queries.depositsOf(sql, me.id, query), query.limit, context))
    .user(calls.cancelDeposit, ({ me, params, context }) =>
      deal(me, context, () => commands.cancelDeposit(sql, me.id, params.id, context.idempotency), announced),
    )
    .upload(calls.uploadProof, { types: UPLOAD_TYPES, limit: UPLOAD_LIMIT }, async ({ me, params, file }) => {
      if (!(await queries.isOwnDeposit(sql, params.id, me.id))) throw notFound();
      const deposit = await commands.proveDeposit(sql, me.id, params.id, await inspector.typeOf(file), file);
      announced(deposit);
      return deposit;
    })
    .user(calls.readProof, async ({ me, params }) => {
      const proof = found(await queries.proofOf(sql, params.id, me));
      return fileResponse(proof, `proof-${params.id}`);
    })
    .user(calls.listPayments, () => offeredPayments(sql))
    .user(calls.quoteCoin, ({ query }) => coinQuote(market, query))
    .user(calls.activeWallets, () => queries.activeWallets(sql))
    .user(calls.createWithdrawal, async ({ me, body, context }) => {
      const withdrawal = askedWithdrawal(body);
      await commands.refuseUnverified(app, me.id);
      return deal(
        me,
        context,
        () => queries.withTimes(commands.requestWithdrawal(sql, me, withdrawal, context.idempotency, app.config.withdrawalCooldown)),
        withdrawalMoved,
      );
    })
    .user(calls.listWithdrawals, async ({ me, query, context }) => listed(await queries.withdrawalsOf(sql, me.id, query), query.limit, context))
    .user(calls.cancelWithdrawal, ({ me, params, context }) =>
      deal(me, context, () => queries.withTimes(commands.cancelWithdrawal(sql, me.id, params.id, context.idempotency)), withdrawalMoved),
    )
    .command(calls.createTransfer, async ({ by, body, context }) => {
      const { fromAccountId = null, toAccountId = null, amount } = body;
      const { reply, done } = await once(sql, by, context.idempotency, () =>
        commands.makeTransfer(sql, by, fromAccountId, toAccountId, amount, commands.trustedBoard(market), context.idempotency),
      );
      if (!done.repeated) for (const account of [fromAccountId, toAccountId]) announceMoney(bus, done.userId, account);
      return reply;
    })
    .user(calls.changeBalance, async ({ me, body }) => {
      await commands.changeBalance(sql, me.id, body, commands.trustedBoard(market));
      announceMoney(bus, me.id);
      return found(await financialsOf(sql, me.id));
    })
    .user(calls.listTransactions, async ({ me, query, context }) => {
      const { format, ...search } = query;
      const reading = await app.reading();
      if (format === "csv") return csvOf((cursor, limit) => history.linesOf(reading, me.id, { ...search, cursor, limit }));
      return paged(context.headers, await history.linesOf(reading, me.id, search), query.limit, ({ id }) => id);
    })
    .user(calls.readStatement, async ({ me, query }) => {
      const reading = await app.reading();
      return withProofs(reading, await history.statementOf(reading, me.id, query.month, query.accountId));
    })
    .user(calls.statementProof, async ({ me, query }) => {
      const reading = await app.reading();
      const statement = await history.statementOf(reading, me.id, query.month, query.accountId);
      return proofResponse(await statementFile(reading, statement, query.since), `proof-statement-${query.month}`);
    })
    .user(calls.readBonus, ({ me }) => queries.bonusOf(sql, me.id))
    .open(calls.listPromotions, () => queries.promotions(sql))
    .user(calls.listReferrals, ({ me, query }) => history.referralsOf(sql, me.id, query.limit));
}
