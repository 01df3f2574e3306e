import { displayMoney } from "../lib/money";
import type { Bus } from "../platform/cluster/bus";
import type { Deposit, RequestStatus, Withdrawal } from "./schema";

/** Notices about money, to its owner and to staff, after the commit. */

type Request = { id: string; userId: string; status: RequestStatus };

/** Tells staff and its owner of a request, new or changed. */
export function announceRequest(bus: Bus, kind: "deposit" | "withdrawal", { id, userId, status }: Request) {
  bus.publish("request", { kind, id, status });
  announceMoney(bus, userId);
}

/** The person's money moved, or is asked to: in the wallet (null) or an account. */
export const announceMoney = (bus: Bus, userId: string, accountId: string | null = null) => bus.publish("account", { userId, accountId });

const because = (reason: string | null) => (reason ? ` Reason: ${reason}` : "");

/** Tells a deposit's owner of the decision, and the referrer of the reward. */
export function announceDepositDecision(bus: Bus, deposit: Deposit, referral: { userId: string; amount: string } | null) {
  announceRequest(bus, "deposit", deposit);
  const { userId } = deposit;
  if (deposit.status === "rejected") {
    bus.publish("notice", {
      userId,
      topic: "money",
      kind: "warning",
      title: "Deposit rejected",
      message: `Your deposit of ${asked(deposit)} was rejected.${because(deposit.rejectionReason)}`,
    });
    return;
  }
  const bonus = deposit.bonusApplied === "0.00" ? "" : ` With it came a bonus of ${displayMoney(deposit.bonusApplied)}.`;
  bus.publish("notice", {
    userId,
    topic: "money",
    kind: "info",
    title: "Deposit approved",
    message: `${displayMoney(deposit.credited ?? deposit.amount)} was added to your wallet.${bonus}`,
  });
  if (!referral) return;
  announceMoney(bus, referral.userId);
  bus.publish("notice", {
    userId: referral.userId,
    topic: "money",
    kind: "info",
    title: "Referral bonus",
    message: `${displayMoney(referral.amount)} was added to your wallet for a person you referred.`,
  });
}

/** Tells the owner how a withdrawal was decided. */
export function announceWithdrawalDecision(bus: Bus, withdrawal: Omit<Withdrawal, "estimatedProcessingTime">) {
  announceRequest(bus, "withdrawal", withdrawal);
  const what = `Your withdrawal of ${displayMoney(withdrawal.amount)}`;
  const approved = withdrawal.status === "approved";
  bus.publish("notice", {
    userId: withdrawal.userId,
    topic: "money",
    kind: approved ? "info" : "warning",
    title: approved ? "Withdrawal approved" : "Withdrawal rejected",
    message: approved
      ? `${what} was approved and is on its way.`
      : `${what} was rejected, and the money is back in your wallet.${because(withdrawal.rejectionReason)}`,
  });
}

const asked = ({ amount, currency }: Deposit) => (currency === "EUR" || currency === "GBP" ? `${amount} ${currency}` : displayMoney(amount));
