import type { ReactNode } from "react";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

type Props = {
  id: string;
  title: string;
  open: boolean;
  busy: boolean;
  /** The button that leaves things as they are, the one that ends them, and the same while it works. */
  words: { keep: string; close: string; busy?: string };
  children: ReactNode;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks once before positions are closed, or orders cancelled. */
export default function CloseDialog({ id, title, open, busy, words, children, onClose, onConfirm }: Props) {
  return (
    <Dialog
      id={id}
      title={title}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {words.keep}
          </Button>
          <Button variant="sell" disabled={busy} onClick={onConfirm}>
            {busy ? (words.busy ?? "Closing...") : words.close}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
