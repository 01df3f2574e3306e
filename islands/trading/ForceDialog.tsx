import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { compare, displayMoney, isNegative, subtract, sum } from "../../src/lib/money";
import { fit } from "../../src/lib/fit";
import {
  forceLoss,
  forceLossBody,
  forceWin,
  forceWinBody,
  type StaffPosition,
  staffPositions,
  type WaitingCorrection,
} from "../../src/trading/schema_corrections";
import type { ClosedPosition } from "../../src/trading/schema";
import type { Force } from "../../views/trading/TradeTables";
import { TraderSees } from "../../views/trading/TraderSees";
import { dealText, resultText } from "../../views/trading/staff_words";
import { Field, TextField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { call } from "../wire/api";
import { useTradingStore } from "../runtime/trading_store";
import { ActionDialog } from "../ui/ActionDialog";
import { useFloating } from "./Floating";
import { sendOnce } from "../wire/intent";
import { useLive } from "../runtime/live_list";
import { toast } from "../wire/toasts";

const WORDS = {
  win: { title: "Force Win", name: "profit", label: "Profit (USD)", done: "Position settled as a win" },
  loss: { title: "Force Loss", name: "loss", label: "Loss (USD)", done: "Position settled as a loss" },
} as const;

type Props = { force: Force; position: StaffPosition; administrator: string; fourEyes: boolean; secondFrom: string; onClose: () => void };

/** Settles a position with the amount of its field. Shows the market result of this moment and what the trader will read, before it is done. */
export function ForceDialog({ force, position, administrator, fourEyes, secondFrom, onClose }: Props) {
  const { title, name, label, done } = WORDS[force];
  const [written, setWritten] = useState({ amount: "", reason: "" });
  useSignals();
  const here = useTradingStore({});
  const { value: now } = useLive<StaffPosition | null>(
    position,
    async () => (await call(staffPositions, undefined, { query: { id: position.id } }))[0] ?? null,
    ["trade", "correction"],
  );
  const settled = settledOf(force, written.amount);
  const floating = useFloating(now ?? position, here);
  const market = now === null ? null : floating.profit;
  return (
    <ActionDialog
      id="force"
      title={`${title}: ${dealText(position)}`}
      consequence={
        <>
          <p>
            Closes the position of {position.firstName} {position.lastName} on the {position.isDemo ? "demo" : "live"} account {position.accountNumber}. Market
            result now: <strong className="price-text">{resultText(market)}</strong>
          </p>
          {now === null ? <Notice kind="warning">This position is no longer open.</Notice> : null}
        </>
      }
      schema={force === "win" ? forceWinBody : forceLossBody}
      names={[name, "reason"]}
      fields={(messages) => (
        <>
          <Field
            id="force-amount"
            name={name}
            label={label}
            inputMode="decimal"
            autoComplete="off"
            hint={`At most ${displayMoney(mostOf(force, now ?? position))}.`}
            onChange={({ currentTarget: { value } }) => setWritten((before) => ({ ...before, amount: value }))}
            error={messages[name]}
          />
          <TextField
            id="force-reason"
            name="reason"
            label="Reason"
            rows={3}
            maxLength={500}
            onChange={({ currentTarget: { value } }) => setWritten((before) => ({ ...before, reason: value }))}
            error={messages.reason}
          />
          <Impact settled={settled} market={market} position={now ?? position} fourEyes={fourEyes} secondFrom={secondFrom} />
          <TraderSees administrator={administrator} reason={written.reason} settled={settled} market={market} />
        </>
      )}
      submit={title}
      busy="Settling..."
      danger={force === "loss"}
      send={async (body) => {
        const answer: ClosedPosition | WaitingCorrection =
          "profit" in body ? await sendOnce(forceWin, body, { id: position.id }) : await sendOnce(forceLoss, body, { id: position.id });
        if (answer.status === "pending_second_approval")
          toast({ title: "Waiting for a second administrator", description: `${dealText(position)} stays open until another administrator confirms.` });
        else toast({ title: done, description: `${dealText(position)} closed with ${resultText(answer.profit)}.` });
      }}
      onClose={onClose}
    />
  );
}

/** The result that the field stands for; null while it holds no amount. */
function settledOf(force: Force, amount: string): string | null {
  const read = fit(forceWinBody.entries.profit, amount);
  if (!read.ok) return null;
  return force === "win" ? read.value : `-${read.value}`;
}

/** The largest amount that may be given: what the position is worth, and of a loss no more than the account holds. */
const mostOf = (force: Force, { amount, balance }: StaffPosition) => (force === "loss" && compare(balance, amount) < 0 ? balance : amount);

type ImpactProps = { settled: string | null; market: string | null; position: StaffPosition; fourEyes: boolean; secondFrom: string };

/** Who bears the difference to the market, and what that means on a live account. */
function Impact({ settled, market, position: { isDemo, correctedAlone }, fourEyes, secondFrom }: ImpactProps) {
  if (settled === null || market === null) return null;
  const impact = subtract(settled, market);
  const isAgainst = isNegative(impact);
  const words = isAgainst
    ? `The trader gets ${displayMoney(subtract(market, settled))} less than the market would give.`
    : compare(settled, market) === 0
      ? "Exactly the market result."
      : `The house pays ${displayMoney(impact)} more than the market would.`;
  const reaches = (before: string) => [settled, subtract("0", settled), impact].some((amount) => compare(sum([before, amount]), secondFrom) >= 0);
  const isLarge = reaches("0.00");
  // What went before counts for what one may settle alone, which is never against the client.
  const isLast = !isLarge && !isAgainst && reaches(correctedAlone);
  if (isDemo || !(isAgainst || isLarge || isLast)) return <p className="text-table text-soft">{words}</p>;
  const earlier = `With the ${displayMoney(correctedAlone)} that you settled alone for this client within 24 hours it comes to ${displayMoney(secondFrom)} or more, so it`;
  const second = isLarge ? `From ${displayMoney(secondFrom)} on it` : isLast ? earlier : "It";
  return (
    <Notice kind="warning" title={isAgainst ? "Against the client" : "Takes a second administrator"}>
      {words} {isAgainst && !fourEyes ? "On a live account that is refused." : `${second} waits until another administrator confirms it.`}
    </Notice>
  );
}
