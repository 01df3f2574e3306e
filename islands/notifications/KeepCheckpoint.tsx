import { useState } from "react";
import { type Keeping, setKeeping } from "../../src/notifications/schema_keeping";
import { Panel } from "../../views/ui/Card";
import { SelectField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

const WAYS: [Keeping["way"], string, string][] = [
  ["off", "Not at all", "No checkpoint is sent any more."],
  ["letter", "By letter, once a day", "One comes by letter each day."],
  ["push", "To my devices, once a day", "One comes to your devices each day, where notifications are switched on."],
];
const LINK = "inline-flex min-h-11 items-center text-accent underline underline-offset-2";

/** On the profile: the way to keep what later shows that nothing was changed. */
export function KeepCheckpoint({ first }: { first: Keeping }) {
  const [way, setWay] = useState(first.way);
  const [busy, setBusy] = useState(false);
  const choose = async (wanted: Keeping["way"]) => {
    const before = way;
    setBusy(true);
    setWay(wanted);
    const kept = await attempt("The choice was not saved", () => call(setKeeping, { way: wanted }));
    setBusy(false);
    setWay(kept?.way ?? before);
    if (kept) toast({ title: "Checkpoints saved", description: WAYS.find(([id]) => id === kept.way)?.[2] ?? "" });
  };
  return (
    <Panel title="Proofs" id="proofs">
      <p className="mb-3 text-soft">
        Each receipt, statement, and what you are owed can be taken away as a proof. With a checkpoint of the public log that you keep, a later proof also shows
        that nothing was changed since.
      </p>
      <SelectField
        id="checkpoint-way"
        label="Send me the log’s checkpoint"
        value={way}
        disabled={busy}
        onChange={({ currentTarget }) => void choose(WAYS.find(([id]) => id === currentTarget.value)?.[0] ?? "off")}
      >
        {WAYS.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <p className="mt-2 flex flex-wrap gap-x-6">
        <a href="/log/checkpoint" download="checkpoint.txt" className={LINK}>
          Download today’s
        </a>
        <a href="/integrity/mine" className={LINK}>
          What you are owed
        </a>
        <a href="/verify" className={LINK}>
          Verify a proof
        </a>
      </p>
    </Panel>
  );
}

export default island("KeepCheckpoint", KeepCheckpoint, { when: "idle", shared: true });
