import { useSignals } from "@preact/signals-react/runtime";
import type { Position } from "../src/trading/schema";
import { ButtonLink } from "../views/ui/Button";
import { Panel } from "../views/ui/Card";
import { Icon } from "../views/ui/Icon";
import { CloseAll } from "./lib/CloseAll";
import { positions, useDesk } from "./lib/desk";
import { island } from "./lib/island";

type Props = { positions: Position[]; accountId: string };

/** The portal's Quick Actions, beneath the order. */
export function QuickDeeds({ positions: first, accountId }: Props) {
  useSignals();
  const here = useDesk({ positions: first });
  const own = ((here && positions.value) || first).filter((each) => each.accountId === accountId && each.status === "open");
  return (
    <Panel title="Quick Actions">
      <div className="grid gap-2">
        <div className="js-only grid">
          <CloseAll accountId={accountId} open={own.length} size="normal" keyed />
        </div>
        <ButtonLink href="/market-analysis" look="secondary">
          <Icon name="trend" />
          Market Analysis
        </ButtonLink>
        <ButtonLink href="/economic-calendar" look="secondary">
          <Icon name="clock" />
          Economic Calendar
        </ButtonLink>
      </div>
    </Panel>
  );
}

export default island("QuickDeeds", QuickDeeds, { when: "idle" });
