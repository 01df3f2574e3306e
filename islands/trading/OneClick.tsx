import { useState, useSyncExternalStore } from "react";
import { Button } from "../../views/ui/Button";
import { Panel } from "../../views/ui/Card";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { toast } from "../wire/toasts";
import { keepOneClick, type OneClickProps, oneClickTerms, type OneClickTerms } from "./one_click_terms";

const OneClickDialog = later(() => import("./OneClickDialog"));
const OneClickDeals = later(() => import("./OneClickDeals"));

function onStorage(heard: () => void) {
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

/** One-click dealing: off until it is switched on for this account on this device; then each press deals at once, within its bound. */
export function OneClick(props: OneClickProps) {
  const { account } = props;
  const stored = useSyncExternalStore(
    onStorage,
    () => JSON.stringify(oneClickTerms(account.id)),
    () => "null",
  );
  const [dialog, setDialog] = useState(false);
  const [, redraw] = useState(0);
  const terms = JSON.parse(stored) as OneClickTerms | null;
  const keep = (wanted: OneClickTerms | null) => {
    setDialog(false);
    if (!keepOneClick(account.id, wanted))
      toast({ title: "Not switched on", description: "Your browser keeps nothing for this site.", variant: "destructive" });
    // The browser tells only the other tabs.
    redraw((n) => n + 1);
  };
  return (
    <Panel
      title="One-click dealing"
      action={
        <Button variant="quiet" size="small" className="js-only -mr-3" onClick={() => (terms ? keep(null) : setDialog(true))}>
          {terms ? "Switch off" : "Switch on..."}
        </Button>
      }
    >
      {terms ? (
        <OneClickDeals {...props} terms={terms} onChange={() => setDialog(true)} />
      ) : (
        <p className="text-table text-soft">Off. Every order is placed from the form.</p>
      )}
      {dialog ? <OneClickDialog account={account.accountNumber} demo={account.isDemo} terms={terms} onTerms={keep} onClose={() => setDialog(false)} /> : null}
    </Panel>
  );
}

export default island("OneClick", OneClick, { when: "idle" });
