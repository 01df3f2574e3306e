import { useSignals } from "@preact/signals-react/runtime";
import type { Position } from "../../src/trading/schema";
import { ButtonLink } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { Icon } from "../../views/ui/Icon";
import { CloseAll } from "./CloseAll";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";

type Props = { positions: Position[]; accountId: string };

/** The portal's Quick Actions, beneath the order. */
export function QuickLinks({ positions: first, accountId }: Props) {
  useSignals();
  const here = useTradingStore({ positions: first });
  const own = ((here && positions.value) || first).filter((each) => each.accountId === accountId && each.status === "open");
  return (
    <Panel title="Quick Actions">
      <div className="grid gap-2">
        <div className="js-only grid">
          <CloseAll accountId={accountId} open={own.length} size="normal" keyed />
          {own.length === 0 ? <p className="pt-1 text-center text-note text-soft">No position of this account is open.</p> : null}
        </div>
        <ButtonLink href="/alerts" variant="secondary">
          <Icon name="bell" />
          Price Alerts
        </ButtonLink>
        <ButtonLink href="/market-analysis" variant="secondary">
          <Icon name="trend" />
          Market Analysis
        </ButtonLink>
        <ButtonLink href="/economic-calendar" variant="secondary">
          <Icon name="clock" />
          Economic Calendar
        </ButtonLink>
      </div>
    </Panel>
  );
}

export default island("QuickLinks", QuickLinks, { when: "idle" });
