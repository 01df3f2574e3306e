import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { type Alert, deleteAlert, MOST_ALERTS } from "../../src/alerts/schema";
import { AlertTable } from "../../views/alerts/AlertTable";
import { conditionText } from "../../views/alerts/words";
import { Button } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { EmptyState, Notice, Skeleton } from "../../views/ui/States";
import { island } from "../runtime/island";
import { selectedSymbol } from "../runtime/selection";
import { askAlert } from "../runtime/alert_asked";
import { useTradingStore } from "../runtime/trading_store";
import { ApiError, call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { alerts, fetchAlerts, followAlerts, takeAlert } from "./store";

export type AlertListProps = { /** Null where they could not be had in time. */ alerts: Alert[] | null };

/** A person's alerts on every tab and device: those that wait, and those that are over. */
export function AlertList({ alerts: first }: AlertListProps) {
  useSignals();
  const here = useTradingStore({});
  const [failed, setFailed] = useState(false);
  useEffect(() => followAlerts(first ?? undefined), [first]);
  const read = () =>
    fetchAlerts().then(
      () => setFailed(false),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        setFailed(true);
      },
    );
  useEffect(() => {
    if (first === null) void read();
  }, [first]);
  const all = (here ? alerts.value : null) ?? first;
  const active = all?.filter(({ status }) => status === "active") ?? [];
  const past = all?.filter(({ status }) => status !== "active") ?? [];

  const remove = async (alert: Alert) => {
    const done = await attempt("That did not work", () => gone(alert.id));
    if (!done) return;
    takeAlert({ id: alert.id, status: "deleted" });
    toast({ title: "Alert deleted", description: `${alert.symbol} ${conditionText(alert)}` });
    // The row that had the focus is gone.
    document.getElementById("alerts-active")?.focus();
  };
  const actions = (alert: Alert) => (
    <Button
      variant="secondary"
      size="small"
      className="js-only"
      aria-label={`Delete the alert: ${alert.symbol} ${conditionText(alert)}`}
      onClick={() => void remove(alert)}
    >
      Delete
    </Button>
  );

  const states = failed ? (
    <Notice kind="error" title="Your alerts could not be loaded">
      <p className="mb-2">They go on waiting for their prices all the same.</p>
      <Button variant="secondary" onClick={() => void read()}>
        Try again
      </Button>
    </Notice>
  ) : all === null ? (
    <div role="status" aria-label="Loading your alerts" className="flex flex-col gap-3">
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  ) : null;
  return (
    <>
      <div id="alerts-active" tabIndex={-1} className="outline-none">
        <Panel
          title={`Active alerts (${active.length} of ${MOST_ALERTS})`}
          action={
            <Button size="small" className="js-only whitespace-nowrap" onClick={() => askAlert(selectedSymbol.peek())}>
              Set an alert
            </Button>
          }
        >
          {states ??
            (active.length === 0 ? (
              <EmptyState icon="bell" title="No alert waits">
                Set one here, beside the price of an order, on a watchlist, or by a right click or a long press on a chart.
              </EmptyState>
            ) : (
              <AlertTable caption="Active alerts" alerts={active} actions={actions} />
            ))}
        </Panel>
      </div>
      {past.length > 0 ? (
        <Panel title="Fired and expired">
          <AlertTable caption="Fired and expired alerts" alerts={past} actions={actions} />
        </Panel>
      ) : null}
    </>
  );
}

/** Deletes it; one that is gone already counts as deleted. */
async function gone(id: string): Promise<true> {
  try {
    await call(deleteAlert, undefined, { params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  return true;
}

export default island("AlertList", AlertList);
