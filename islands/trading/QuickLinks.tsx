import { useSignals } from "@preact/signals-react/runtime";
import type { Position } from "../../src/trading/schema";
import { useEffect, useState } from "react";
import { Button, ButtonLink } from "../../views/ui/Button";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { Panel } from "../../views/ui/Card";
import { Icon } from "../../views/ui/Icon";
import { positions, useTradingStore } from "../runtime/trading_store";
import { onPortalKey } from "../runtime/portal_keys";
import { UNSENT, kept } from "../wire/kept";
import { toast } from "../wire/toasts";
import type { CloseAll } from "./CloseAll";

type Props = { positions: Position[]; accountId: string };

/** The portal's Quick Actions, beneath the order. What closes everything comes with the first press. */
export function QuickLinks({ positions: first, accountId }: Props) {
  useSignals();
  const here = useTradingStore({ positions: first });
  const own = ((here && positions.value) || first).filter((each) => each.accountId === accountId && each.status === "open");
  const [Closing, setClosing] = useState<typeof CloseAll | null>(null);
  const ask = async () => {
    const code = await import("./CloseAll").catch(() => null);
    if (code) setClosing(() => code.CloseAll);
    else toast({ title: "This could not be loaded", description: "Please try again.", variant: "destructive" });
  };
  useEffect(() => {
    if (kept(UNSENT)) void import("./closing").then(({ tellUnsent }) => tellUnsent());
  }, []);
  const isAsked = Closing !== null;
  useEffect(() => (own.length > 0 && !isAsked ? onPortalKey((key) => key === SHORTCUTS.closeAll && void ask()) : undefined), [own.length, isAsked]);
  return (
    <Panel title="Quick Actions">
      <div className="grid gap-2">
        <div className="js-only grid">
          {Closing ? (
            <Closing accountId={accountId} open={own.length} size="normal" keyed />
          ) : (
            <Button variant="danger" disabled={own.length === 0} onClick={() => void ask()}>
              Close All Positions
            </Button>
          )}
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
