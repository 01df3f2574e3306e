import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { compare, displayMoney, isNegative, subtract } from "../../src/lib/money";
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
import type { Force } from "../../views/admin/TradeTables";
import { TraderSees } from "../../views/admin/TraderSees";
import { dealText, resultText } from "../../views/admin/trade_words";
import { Field, TextField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { call } from "./api";
import { useDesk } from "./desk";
import { DeedDialog } from "./DeedDialog";
import { useFloating } from "./Floating";
import { useIntent } from "./intent";
import { useLive } from "./live_list";
import { toast } from "./toasts";

const WORDS = {
  win: { title: "Force Win", name: "profit", label: "Profit (USD)", done: "Position settled as a win" },
  loss: { title: "Force Loss", name: "loss", label: "Loss (USD)", done: "Position settled as a loss" },
} as const;

type Props = { force: Force; position: StaffPosition; administrator: string; fourEyes: boolean; onClose: () => void };

/** Settles a position with the amount of its field. Shows the market result of this moment and what the trader will read, before it is done. */
export function ForceDialog({ force, position, administrator, fourEyes, onClose }: Props) {
  const { title, name, label, done } = WORDS[force];
  const send = useIntent();
  const [written, setWritten] = useState({ amount: "", reason: "" });
  useSignals();
  const here = useDesk({});
  const { value: now } = useLive<StaffPosition | null>(
    position,
    async () => (await call(staffPositions, undefined, { query: { id: position.id } }))[0] ?? null,
    ["trade"],
  );
  const settled = settledOf(force, written.amount);
  const floating = useFloating(now ?? position, here);
  const market = now === null ? null : floating.profit;
  return (
    <DeedDialog
      id="force"
      title={`${title}: ${dealText(position)}`}
      consequence={
        <>
          <p>
            Closes the position of {position.firstName} {position.lastName} on the {position.isDemo ? "demo" : "live"} account {position.accountNumber}. Market
            result now: <strong className="whitespace-nowrap tabular-nums">{resultText(market)}</strong>
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
            hint={force === "loss" ? `At most the account's balance, ${displayMoney(now?.balance ?? position.balance)}.` : undefined}
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
          <Impact settled={settled} market={market} isDemo={position.isDemo} fourEyes={fourEyes} />
          <TraderSees administrator={administrator} reason={written.reason} settled={settled} market={market} />
        </>
      )}
      submit={title}
      busy="Settling..."
      danger={force === "loss"}
      send={async (body) => {
        const answer: ClosedPosition | WaitingCorrection =
          "profit" in body ? await send(forceWin, body, { id: position.id }) : await send(forceLoss, body, { id: position.id });
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

type ImpactProps = { settled: string | null; market: string | null; isDemo: boolean; fourEyes: boolean };

/** Who bears the difference to the market, and what that means on a live account. */
function Impact({ settled, market, isDemo, fourEyes }: ImpactProps) {
  if (settled === null || market === null) return null;
  const impact = subtract(settled, market);
  if (compare(settled, market) === 0) return <p className="text-table text-soft">Exactly the market result.</p>;
  if (!isNegative(impact)) return <p className="text-table text-soft">The house pays {displayMoney(impact)} more than the market would.</p>;
  const words = `The trader gets ${displayMoney(subtract(market, settled))} less than the market would give.`;
  if (isDemo) return <p className="text-table text-soft">{words}</p>;
  return (
    <Notice kind="warning" title="Against the client">
      {words} {fourEyes ? "It waits until another administrator confirms it." : "On a live account that is refused."}
    </Notice>
  );
}
