import { cursorOf, type Placed } from "../lib/cursor";
import type { Market } from "../market/market";
import type { Act, AppContext, Me } from "../platform/app_context";
import { Routes, paged, type RequestContext } from "../platform/http/routes";
import { once } from "../platform/http/idempotency";
import { together } from "../platform/http/together";
import { depositsFile, withdrawalsFile } from "./csv";
import { announceDepositDecision, announceWithdrawalDecision } from "./announce";
import { doOrAsk, refuseTwo } from "../identity/commands_signatures";
import * as commands from "./commands";
import { fundingDeeds } from "./commands_signed";
import * as payments from "./commands_payments";
import { allPayments } from "./queries_payments";
import * as wallets from "./commands_wallets";
import * as queries from "./queries";
import * as calls from "./schema";
import * as selected from "./schema_together";

/** The staff's routes to money: the two queues, each decision once, and the wallets. */
export function fundingStaffRoutes(app: AppContext, market: Market): Routes {
  const { sql, bus } = app;
  const deeds = fundingDeeds(app, market);

  const listed = <T extends Placed>(list: T[], limit: number, context: RequestContext) => paged(context.headers, list, limit, cursorOf);
  const deposits = async (search: Parameters<typeof queries.staffDeposits>[1], context: RequestContext) =>
    listed(await queries.staffDeposits(await app.reading(), search, commands.usdRates(market)), search.limit, context);
  const withdrawals = async (search: Parameters<typeof queries.staffWithdrawals>[1], context: RequestContext) =>
    listed(await queries.staffWithdrawals(await app.reading(), search), search.limit, context);

  const decideDeposit = async (
    me: Me,
    context: RequestContext,
    command: () => ReturnType<typeof commands.approveDeposit> | ReturnType<typeof commands.rejectDeposit>,
  ) => {
    const { reply, done } = await once<calls.StaffDeposit>(sql, me, context.idempotency, () => queries.withDecision(command()));
    if (!done.repeated) announceDepositDecision(bus, done.answer, "referral" in done ? (done.referral as { userId: string; amount: string } | null) : null);
    return reply;
  };
  const decideWithdrawal = async (me: Me, context: RequestContext, command: () => ReturnType<typeof commands.decideWithdrawal>) => {
    const { reply, done } = await once<calls.StaffWithdrawal>(sql, me, context.idempotency, () => queries.withPayout(command()));
    if (!done.repeated) announceWithdrawalDecision(bus, done.answer);
    return reply;
  };

  type Selected = { id: string; amount: string };
  type Decided = Awaited<ReturnType<typeof commands.approveDeposit>>;
  /** One after the other, each with the amount that was shown, which counts as typed. */
  const approveDeposits = (me: Me, act: Act, requests: readonly Selected[], notes: string, { idempotency }: RequestContext) =>
    together<Selected, calls.StaffDeposit, Decided>(
      sql,
      me,
      idempotency,
      requests,
      async ({ id, amount }, key) => {
        const rate = await commands.depositRate(sql, market, id);
        await queries.refuseUntypedAmount(sql, "deposits", id, amount, rate);
        await refuseTwo(app.sql, act, deeds.deposit, { id, notes });
        return queries.withDecision(commands.approveDeposit(sql, act, id, rate, notes, key));
      },
      ({ answer, referral }) => announceDepositDecision(bus, answer, referral),
    );
  const approveWithdrawals = (me: Me, act: Act, requests: readonly Selected[], note: string, { idempotency }: RequestContext) =>
    together<Selected, calls.StaffWithdrawal>(
      sql,
      me,
      idempotency,
      requests,
      async ({ id, amount }, key) => {
        await queries.refuseUntypedAmount(sql, "withdrawals", id, amount, "1");
        await refuseTwo(app.sql, act, deeds.withdrawal, { id, notes: note, hash: null });
        return queries.withPayout(commands.decideWithdrawal(sql, act, id, { status: "approved", note, hash: null }, key));
      },
      ({ answer }) => announceWithdrawalDecision(bus, answer),
    );

  const told = async <T>(command: Promise<T>): Promise<T> => {
    const done = await command;
    bus.publish("staff", { about: "setting" });
    return done;
  };

  return new Routes(app, import.meta.path)
    .admin("deposits.read", calls.staffDeposits, async ({ query, context }) =>
      query.format === "csv" ? depositsFile(await app.reading(), market, query) : deposits(query, context),
    )
    .admin("deposits.read", calls.pendingDeposits, ({ query, context }) => deposits({ ...query, status: "pending" }, context))
    .decision("deposits.decide", selected.approveDeposits, ({ me, act, body, context }) => approveDeposits(me, act, body.requests, body.notes ?? "", context))
    .decision("deposits.decide", calls.approveDeposit, ({ me, act, params, body, context }) => {
      const notes = body.notes ?? "";
      const typed = (rate: string | null) => queries.refuseUntypedAmount(sql, "deposits", params.id, body.confirmAmount ?? null, rate);
      const rateNow = () => commands.depositRate(sql, market, params.id);
      const first = async () => typed(await rateNow());
      return doOrAsk(app, act, deeds.deposit, { body: { id: params.id, notes }, reason: notes, key: context.idempotency, first }, () =>
        decideDeposit(me, context, async () => {
          const rate = await rateNow();
          await typed(rate);
          return commands.approveDeposit(sql, act, params.id, rate, notes, context.idempotency);
        }),
      );
    })
    .decision("deposits.decide", calls.rejectDeposit, ({ me, act, params, body, context }) =>
      decideDeposit(me, context, () => commands.rejectDeposit(sql, act, params.id, body.reason, context.idempotency)),
    )
    .admin("withdrawals.read", calls.staffWithdrawals, async ({ query, context }) =>
      query.format === "csv" ? withdrawalsFile(await app.reading(), query) : withdrawals(query, context),
    )
    .admin("withdrawals.read", calls.pendingWithdrawals, ({ query, context }) => withdrawals({ ...query, status: "pending" }, context))
    .decision("withdrawals.decide", selected.approveWithdrawals, ({ me, act, body, context }) =>
      approveWithdrawals(me, act, body.requests, body.notes ?? "", context),
    )
    .decision("withdrawals.decide", calls.approveWithdrawal, ({ me, act, params, body, context }) => {
      const decision = { status: "approved" as const, note: body.notes ?? "", hash: body.transactionHash || null };
      const asked = { id: params.id, notes: decision.note, hash: decision.hash };
      const first = () => queries.refuseUntypedAmount(sql, "withdrawals", params.id, body.confirmAmount ?? null, "1");
      return doOrAsk(app, act, deeds.withdrawal, { body: asked, reason: decision.note, key: context.idempotency, first }, () =>
        decideWithdrawal(me, context, async () => {
          await first();
          return commands.decideWithdrawal(sql, act, params.id, decision, context.idempotency);
        }),
      );
    })
    .decision("withdrawals.decide", calls.rejectWithdrawal, ({ me, act, params, body, context }) => {
      const decision = { status: "rejected" as const, note: body.reason, hash: null };
      return decideWithdrawal(me, context, () => commands.decideWithdrawal(sql, act, params.id, decision, context.idempotency));
    })
    .admin("wallets.read", calls.staffPayments, () => allPayments(sql))
    .decision("wallets.change", calls.changePayment, ({ act, params, body }) =>
      doOrAsk(app, act, deeds.payment, { body: { method: params.method, ...body } }, ({ method, ...seen }) =>
        told(payments.changePaymentDetails(sql, act, method, seen)),
      ),
    )
    .admin("wallets.read", calls.listWallets, () => queries.allWallets(sql))
    .decision("wallets.change", calls.createWallet, ({ act, body }) =>
      doOrAsk(app, act, deeds.create, { body }, () => told(wallets.createDepositWallet(sql, act, body))),
    )
    .decision("wallets.change", calls.changeWallet, ({ act, params, body }) =>
      doOrAsk(app, act, deeds.change, { body: { id: params.id, ...body } }, ({ id, ...seen }) => told(wallets.changeDepositWallet(sql, act, id, seen))),
    )
    .decision("wallets.change", calls.changeNamedWallet, ({ act, body }) =>
      doOrAsk(app, act, deeds.change, { body }, ({ id, ...seen }) => told(wallets.changeDepositWallet(sql, act, id, seen))),
    )
    .decision("wallets.change", calls.deactivateWallet, ({ act, params, query }) => told(wallets.deactivateDepositWallet(sql, act, params.id, query.version)));
}
