import { useState, useSyncExternalStore } from "react";
import { Panel } from "../../views/ui/Card";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";
import { chooseClosing, type Closing, closingChoice } from "./closing";

const CHOICES: { id: Closing; label: string; text: string }[] = [
  { id: "ask", label: "Ask first", text: "A question before each closing" },
  { id: "undo", label: "Five seconds to undo", text: "It is sent after five seconds, at the price of that moment; leaving the page keeps the position open" },
  { id: "now", label: "At once", text: "A press closes" },
];

function onStorage(heard: () => void) {
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

/** How positions of live accounts are closed; kept in this browser. */
export function ClosingChoice() {
  const stored = useSyncExternalStore(onStorage, closingChoice, () => "ask" as const);
  const [chosen, setChosen] = useState<Closing | null>(null);
  const choose = (id: Closing, label: string) => {
    if (!chooseClosing(id)) return void toast({ title: "Error", description: "Your browser keeps nothing for this site.", variant: "destructive" });
    setChosen(id);
    toast({ title: "Closing live positions", description: label });
  };
  return (
    <Panel title="Closing live positions" id="closing">
      <fieldset className="js-only flex flex-col divide-y divide-line">
        <legend className="mb-2 text-soft">What a press on Close does where the money is real. Demo positions close at once.</legend>
        {CHOICES.map(({ id, label, text }) => (
          <div key={id} className="relative flex min-h-11 items-start gap-3 py-2.5">
            <input
              id={`closing-${id}`}
              type="radio"
              name="closing"
              checked={(chosen ?? stored) === id}
              onChange={() => choose(id, label)}
              aria-describedby={`closing-${id}-text`}
              className="relative z-1 mt-0.5 size-5 shrink-0 accent-accent"
            />
            <div>
              <label htmlFor={`closing-${id}`} className="block font-medium before:absolute before:inset-0 before:content-empty">
                {label}
              </label>
              <span id={`closing-${id}-text`} className="block text-table text-soft">
                {text}
              </span>
            </div>
          </div>
        ))}
      </fieldset>
      <p className="mt-3 text-table text-soft">The choice is kept on this device alone.</p>
    </Panel>
  );
}

export default island("ClosingChoice", ClosingChoice, { when: "idle", shared: true });
