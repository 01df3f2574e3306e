import { useEffect, useState } from "react";
import { closeAll } from "../../src/trading/schema";
import { SHORTCUTS } from "../../views/portal/shortcut_keys";
import { Button } from "../../views/ui/Button";
import { call, newKey } from "./api";
import { attempt } from "./deed";
import { takePosition } from "./desk";
import { later } from "./later";
import { onPortalKey } from "./portal_keys";
import { toast } from "./toasts";

const CloseAllDialog = later(() => import("../../views/portal/CloseAllDialog"));

type Props = {
  accountId: string;
  /** How many positions are open. */
  open: number;
  size: "small" | "normal";
  /** Takes the key too; for one button of a page. */
  keyed?: boolean;
};

/** Closes every open position of an account, after a question. */
export function CloseAll({ accountId, open, size, keyed = false }: Props) {
  const [closing, setClosing] = useState(false);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const ask = () => {
    setOpened(true);
    setClosing(true);
  };
  useEffect(() => (keyed && open > 0 ? onPortalKey((key) => key === SHORTCUTS.closeAll && ask()) : undefined), [keyed, open]);
  const closeEvery = async () => {
    setBusy(true);
    const result = await attempt("Closing failed", () => call(closeAll, { accountId }, { idempotencyKey: newKey() }));
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
  return (
    <>
      <Button look="danger" size={size} disabled={open === 0} onClick={ask}>
        Close All Positions
      </Button>
      {opened ? <CloseAllDialog open={closing} busy={busy} count={open} onClose={() => setClosing(false)} onConfirm={() => void closeEvery()} /> : null}
    </>
  );
}
