import { useState } from "react";
import { Button } from "../ui/Button";

/** The amount by what may be lost at the stop. */
export function RiskSize({ stop, onRisk }: { stop: string; onRisk: (perCent: string) => void }) {
  const [perCent, setPerCent] = useState("1");
  return (
    <div className="js-only flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
      <label htmlFor="order-risk">Risk</label>
      <input
        id="order-risk"
        type="number"
        inputMode="decimal"
        min={0.01}
        max={100}
        step="0.01"
        value={perCent}
        onChange={(event) => setPerCent(event.target.value)}
        aria-describedby="order-risk-note"
        className="block min-h-11 w-16 rounded-control border border-control bg-surface px-2 text-right text-base text-ink md:min-h-8 md:text-table"
      />
      <span id="order-risk-note">% of the balance</span>
      <Button variant="quiet" size="small" className="-mr-3 ml-auto" disabled={!stop} onClick={() => onRisk(perCent)}>
        Size by risk
      </Button>
      <p className="w-full text-note text-soft">
        {stop ? "At most this is lost at the stop, unless the price gaps past it." : "To size by risk, enter a stop loss first."}
      </p>
    </div>
  );
}
