import { useState } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { PasswordField } from "../../views/ui/PasswordField";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

type Open = "narrow" | "wide" | null;

/** The bricks that only live in a browser: dialogs, toasts, a password that can be looked at. */
function StyleguideDemo() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap gap-4">
        <Button variant="secondary" onClick={() => setOpen("narrow")}>
          Open a dialog
        </Button>
        <Button variant="secondary" onClick={() => setOpen("wide")}>
          Open a wide dialog
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast({ title: "Trade Executed", description: "BUY order for $1000 on EUR/USD has been placed successfully" })}
        >
          Raise a toast
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast({ title: "Trade Failed", description: "Unable to execute trade. Please try again.", variant: "destructive" })}
        >
          Raise a bad one
        </Button>
      </div>
      <div className="max-w-sm">
        <PasswordField id="demo-password" label="Password" defaultValue="halyard-2019" autoComplete="off" />
      </div>
      <Dialog
        id="demo-dialog"
        title="A dialog at a desk, a sheet on a phone"
        open={open !== null}
        onClose={close}
        wide={open === "wide"}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            <Button onClick={close}>Confirm</Button>
          </>
        }
      >
        What is decided, and what follows from it.
      </Dialog>
    </div>
  );
}

export default island("StyleguideDemo", StyleguideDemo);
