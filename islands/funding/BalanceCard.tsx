import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import type { Financials } from "../../src/accounts/schema";
import { balanceBody, changeBalance } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { Profit } from "../../views/accounts/Profit";
import { Button } from "../../views/ui/Button";
import { Field } from "../../views/ui/Field";
import { Stat } from "../../views/ui/Stat";
import { Notice } from "../../views/ui/States";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { financials, useTradingStore } from "../runtime/trading_store";
import { useForm } from "../wire/form";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";
import { MoneyActions } from "./QuickActions";

const NAMES = ["accountBalance", "tradingBalance", "totalProfit"] as const;
const LABELS: Record<(typeof NAMES)[number], string> = {
  accountBalance: "Account Balance",
  tradingBalance: "Trading Balance",
  totalProfit: "Total Profit",
};

/** The profile's Account Balance card: three figures, and the two that money may be moved between. */
export function BalanceCard({ financials: first }: { financials: Financials }) {
  useSignals();
  const here = useTradingStore({ financials: first });
  const money = (here && financials.value) || first;
  const [editing, setEditing] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  // The button that was pressed is gone: the focus goes on to what came instead.
  useEffect(() => {
    if (pressed.current) card.current?.querySelector<HTMLElement>(editing ? "input" : "button")?.focus();
  }, [editing]);
  const edit = (on: boolean) => {
    pressed.current = true;
    setEditing(on);
  };
  return (
    // No region of its own: it would bear the name of the field within.
    <div ref={card} className="rounded-card border border-line bg-surface">
      <div className="panel-head">
        <h2 className="text-[0.9375rem] font-semibold">Account Balance</h2>
        {editing ? null : (
          <Button variant="quiet" size="small" className="js-only" onClick={() => edit(true)}>
            Edit
          </Button>
        )}
      </div>
      <div className="p-4">
        {editing ? (
          <Edit money={money} onDone={() => edit(false)} />
        ) : (
          <div className="grid gap-5 sm:grid-cols-3">
            <Stat label={LABELS.accountBalance}>{displayMoney(money.accountBalance)}</Stat>
            <Stat label={LABELS.tradingBalance}>{displayMoney(money.tradingBalance)}</Stat>
            <Stat label={LABELS.totalProfit}>
              <Profit value={money.totalProfit} />
            </Stat>
          </div>
        )}
        {editing ? null : (
          <div className="mt-5 flex flex-wrap gap-2 max-sm:flex-col">
            <MoneyActions balance={money.accountBalance} />
          </div>
        )}
        <p className="mt-4 text-table text-soft">
          Editing moves money between your wallet (Account Balance) and your oldest live trading account (Trading Balance): together they stay the same, and the
          total profit can't be changed. To put money in,{" "}
          <a href="/deposit" className="text-accent underline underline-offset-2">
            make a deposit
          </a>
          ; to take it out, request a withdrawal.
        </p>
      </div>
    </div>
  );
}

function Edit({ money, onDone }: { money: Financials; onDone: () => void }) {
  const [refused, setRefused] = useState<string | null>(null);
  const { messages, unsaid, pending, form } = useForm({
    schema: balanceBody,
    names: NAMES,
    after: "again",
    send: async (value) => {
      setRefused(null);
      financials.value = await call(changeBalance, value);
      toast({ title: "Success", description: "Balance updated successfully" });
      onDone();
    },
    onFailure: ({ status, message }) => {
      if (status === 401) return;
      setRefused(message);
      toast({ title: "Error", description: message, variant: "destructive" });
    },
  });
  return (
    <form {...form} className="flex flex-col gap-4">
      {refused ? <Notice kind="error">{refused}</Notice> : null}
      <div className="grid gap-4 sm:grid-cols-3">
        {NAMES.map((name) => (
          <Field
            key={name}
            id={`edit-${name}`}
            name={name}
            type="number"
            inputMode="decimal"
            step={0.01}
            label={LABELS[name]}
            defaultValue={money[name]}
            error={messages[name]}
          />
        ))}
      </div>
      <UnsaidNotice of={unsaid} />
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" disabled={pending}>
          {pending ? "Saving..." : "Save Changes"}
        </Button>
      </div>
    </form>
  );
}

export default island("BalanceCard", BalanceCard);
