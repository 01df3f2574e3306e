import { createRoot } from "react-dom/client";
import { Dialog } from "../../views/ui/Dialog";
import { PasswordPrompt } from "./PasswordPrompt";

const LEAD = "It has been more than 15 minutes since you last proved who you are. Nothing that you wrote is lost: once you confirm, your decision goes on.";

/** One prompt answers all that wait for it. */
let asked: Promise<boolean> | null = null;

/** Asks in a dialog of its own, above what is open, and takes it off again. False where the person does not want to. */
export const askProof = (): Promise<boolean> => (asked ??= ask().finally(() => (asked = null)));

function ask(): Promise<boolean> {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const no = () => resolve(false);
  root.render(
    <Dialog id="proof" title="Confirm that it is you" open onClose={no}>
      <PasswordPrompt lead={LEAD} action="Confirm and go on" onBack={no} onConfirmed={async () => resolve(true)} onFailure={() => {}} />
    </Dialog>,
  );
  return promise.finally(() => {
    root.unmount();
    place.remove();
  });
}
