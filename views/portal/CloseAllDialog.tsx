import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

type Props = { open: boolean; busy: boolean; count: number; onClose: () => void; onConfirm: () => void };

/** Asks once before every position of the account is closed. */
export default function CloseAllDialog({ open, busy, count, onClose, onConfirm }: Props) {
  return (
    <Dialog
      id="close-all"
      title="Close All Positions"
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button look="secondary" onClick={onClose}>
            Keep them open
          </Button>
          <Button look="sell" disabled={busy} onClick={onConfirm}>
            {busy ? "Closing..." : `Close ${count === 1 ? "1 position" : `${count} positions`}`}
          </Button>
        </>
      }
    >
      <p>Every open position of this account closes at once at its current price. What has no current price stays open and is named.</p>
    </Dialog>
  );
}
