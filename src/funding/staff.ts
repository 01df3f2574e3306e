import { cursorOf, type Placed } from "../lib/cursor";
import type { Market } from "../market/market";
import type { House, Me } from "../platform/house";
import { Doors, paged, type Visit } from "../platform/http";
import { once } from "../platform/once";
import { depositsFile, withdrawalsFile } from "./csv";
import { announceDepositDecision, announceWithdrawalDecision } from "./announce";
import * as deeds from "./commands";
import * as wallets from "./commands_wallets";
import * as queries from "./queries";
import * as calls from "./schema";

/** The staff's doors to money: the two queues, each decision once, and the wallets. */
export function fundingStaffDoors(house: House, market: Market): Doors {
  const { sql, bus } = house;

  const listed = <T extends Placed>(list: T[], limit: number, visit: Visit) => paged(visit.headers, list, limit, cursorOf);
  const deposits = async (search: Parameters<typeof queries.staffDeposits>[1], visit: Visit) =>
    listed(await queries.staffDeposits(sql, search, deeds.usdRates(market)), search.limit, visit);
  const withdrawals = async (search: Parameters<typeof queries.staffWithdrawals>[1], visit: Visit) =>
    listed(await queries.staffWithdrawals(sql, search), search.limit, visit);

  const decideDeposit = async (me: Me, visit: Visit, deed: () => ReturnType<typeof deeds.approveDeposit> | ReturnType<typeof deeds.rejectDeposit>) => {
    const { reply, done } = await once<calls.StaffDeposit>(sql, me, visit.once, deed);
    if (!done.repeated) announceDepositDecision(bus, done.answer, "referral" in done ? (done.referral as { userId: string; amount: string } | null) : null);
    return reply;
  };
  const decideWithdrawal = async (me: Me, visit: Visit, deed: () => ReturnType<typeof deeds.decideWithdrawal>) => {
    const { reply, done } = await once<calls.StaffWithdrawal>(sql, me, visit.once, () => queries.withTimes(deed()));
    if (!done.repeated) announceWithdrawalDecision(bus, done.answer);
    return reply;
  };

  const told = async <T>(deed: Promise<T>): Promise<T> => {
    const done = await deed;
    bus.publish("staff", { about: "setting" });
    return done;
  };

  return new Doors(house)
    .admin(calls.staffDeposits, ({ query, visit }) => (query.format === "csv" ? depositsFile(sql, market, query) : deposits(query, visit)))
    .admin(calls.pendingDeposits, ({ query, visit }) => deposits({ ...query, status: "pending" }, visit))
    .admin(calls.approveDeposit, ({ me, act, params, body, visit }) =>
      decideDeposit(me, visit, async () => {
        await queries.refuseOtherAmount(sql, "deposits", params.id, body.confirmAmount ?? null);
        return deeds.approveDeposit(sql, market, act, params.id, body.notes ?? "", visit.once);
      }),
    )
    .admin(calls.rejectDeposit, ({ me, act, params, body, visit }) =>
      decideDeposit(me, visit, () => deeds.rejectDeposit(sql, act, params.id, body.reason, visit.once)),
    )
    .admin(calls.staffWithdrawals, ({ query, visit }) => (query.format === "csv" ? withdrawalsFile(sql, query) : withdrawals(query, visit)))
    .admin(calls.pendingWithdrawals, ({ query, visit }) => withdrawals({ ...query, status: "pending" }, visit))
    .admin(calls.approveWithdrawal, ({ me, act, params, body, visit }) => {
      const decision = { status: "approved" as const, note: body.notes ?? "", hash: body.transactionHash || null };
      return decideWithdrawal(me, visit, async () => {
        await queries.refuseOtherAmount(sql, "withdrawals", params.id, body.confirmAmount ?? null);
        return deeds.decideWithdrawal(sql, act, params.id, decision, visit.once);
      });
    })
    .admin(calls.rejectWithdrawal, ({ me, act, params, body, visit }) => {
      const decision = { status: "rejected" as const, note: body.reason, hash: null };
      return decideWithdrawal(me, visit, () => deeds.decideWithdrawal(sql, act, params.id, decision, visit.once));
    })
    .admin(calls.listWallets, () => queries.allWallets(sql))
    .admin(calls.createWallet, ({ act, body }) => told(wallets.createDepositWallet(sql, act, body)))
    .admin(calls.changeWallet, ({ act, params, body }) => told(wallets.changeDepositWallet(sql, act, params.id, body)))
    .admin(calls.changeNamedWallet, ({ act, body: { id, ...changes } }) => told(wallets.changeDepositWallet(sql, act, id, changes)))
    .admin(calls.deactivateWallet, ({ act, params }) => told(wallets.deactivateDepositWallet(sql, act, params.id)));
}
