import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useLayoutEffect, useState } from "react";
import { closeAll } from "../../src/trading/schema";
import { SHORTCUTS } from "../../views/ui/shortcut_keys";
import { Button } from "../../views/ui/Button";
import { attempt } from "../wire/attempt";
import { accounts, takePosition } from "../runtime/trading_store";
import { sendOnce } from "../wire/intent";
import { later } from "../runtime/later";
import { onPortalKey } from "../runtime/portal_keys";
import { toast } from "../wire/toasts";
import { closingChoice, holdClosing, secondsLeft, tellUnsent, undoClosing } from "./closing";

/** The id of the page's one button that takes the key. */
const ASKS = "close-all-asks";

const CloseDialog = later(() => import("../../views/trading/CloseDialog"));

type Props = {
  accountId: string;
  /** How many positions are open. */
  open: number;
  size: "small" | "normal";
  /** Takes the key too, and was asked for by a press already; for one button of a page. */
  keyed?: boolean;
};

/** Closes every open position of an account, after a question; live money as its owner chose, too. */
export function CloseAll({ accountId, open, size, keyed = false }: Props) {
  useSignals();
  useEffect(tellUnsent, []);
  const left = secondsLeft.value[accountId];
  const [closing, setClosing] = useState(keyed && left === undefined);
  const [opened, setOpened] = useState(closing);
  const [busy, setBusy] = useState(false);
  const ask = () => {
    setOpened(true);
    setClosing(true);
  };
  // The button that was pressed for it has gone from the page. This one stands in its place, and the question gives the focus back to it.
  useLayoutEffect(() => {
    if (keyed && (document.activeElement === null || document.activeElement === document.body)) document.getElementById(ASKS)?.focus({ preventScroll: true });
  }, [keyed]);
  useEffect(() => (keyed && open > 0 ? onPortalKey((key) => key === SHORTCUTS.closeAll && ask()) : undefined), [keyed, open]);
  const closeEvery = async () => {
    setBusy(true);
    const result = await attempt("Closing failed", () => sendOnce(closeAll, { accountId }));
    setBusy(false);
    setClosing(false);
    if (!result) return;
    for (const position of result.closed) takePosition(position);
    const kept = result.refused.map(({ symbol, message }) => `${symbol}: ${message}`).join(" ");
    toast({
      title: result.closed.length === 1 ? "1 position closed" : `${result.closed.length} positions closed`,
      ...(kept ? { description: `Still open. ${kept}`, variant: "destructive" } : {}),
    });
  };
  const confirm = () => {
    const isDemo = accounts.peek()?.find(({ id }) => id === accountId)?.isDemo ?? false;
    if (isDemo || closingChoice() !== "undo") return void closeEvery();
    setClosing(false);
    holdClosing(accountId, "Every position of the account", closeEvery);
  };
  return (
    <>
      {left === undefined ? (
        <Button key="close" id={keyed ? ASKS : undefined} variant="danger" size={size} disabled={open === 0} onClick={ask}>
          Close All Positions
        </Button>
      ) : (
        <Button key="undo" variant="secondary" size={size} onClick={() => undoClosing(accountId)}>
          Undo closing all ({left} s)
        </Button>
      )}
      {opened ? (
        <CloseDialog
          id="close-all"
          title="Close All Positions"
          open={closing}
          busy={busy}
          words={{ keep: "Keep them open", close: `Close ${open === 1 ? "1 position" : `${open} positions`}` }}
          onClose={() => setClosing(false)}
          onConfirm={confirm}
        >
          Every open position of this account closes at once at its current price. What has no current price stays open and is named.
        </CloseDialog>
      ) : null}
    </>
  );
}
