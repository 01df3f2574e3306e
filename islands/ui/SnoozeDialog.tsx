import { useEffect, useState } from "react";
import { snooze, type QueueKind } from "../../src/admin/schema_queues";
import { DAY, HOUR } from "../../src/lib/time";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { Dialog } from "../../views/ui/Dialog";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { refreshLists } from "../runtime/live_list";
import { untilText } from "../runtime/snoozes";
import { useCalm } from "../runtime/steady";
import { toast } from "../wire/toasts";

type Props = { kind: QueueKind; id: string; name: string; onClose: (until: string | null) => void };

/** Nine in the morning here, so many days from now. */
const morning = (now: number, days: number) => new Date(now + days * DAY).setHours(9, 0, 0, 0);
const choicesAt = (now: number): [string, number][] => [
  ["In 1 hour", now + HOUR],
  ["In 4 hours", now + 4 * HOUR],
  ["Tomorrow, 9:00", morning(now, 1)],
  ["Monday, 9:00", morning(now, (8 - new Date(now).getDay()) % 7 || 7)],
];
/** As a field of date and time wants it, by this clock. */
const fieldText = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Puts a request away until a moment: it leaves the caller's own list, and comes back to it by itself. Rendered only while it is open. */
export function SnoozeDialog({ kind, id, name, onClose }: Props) {
  useCalm();
  const [now] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const [own, setOwn] = useState(() => fieldText(now + DAY));
  useEffect(() => document.querySelector<HTMLElement>("#snooze [data-choice]")?.focus(), []);
  const putAway = async (at: number) => {
    if (busy || !Number.isFinite(at)) return;
    setBusy(true);
    try {
      const { until } = await call(snooze, { kind, objectId: id, until: new Date(at).toISOString() });
      toast({ title: "Put away", description: `${name} comes back on ${untilText(until)}.` });
      onClose(until);
      await refreshLists();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tellRefusal("Not put away", error);
      setBusy(false);
    }
  };
  return (
    <Dialog id="snooze" title={`Put away: ${name}`} open onClose={() => onClose(null)}>
      <p className="mb-3 text-table text-soft">It leaves your list until then. The others see it as before, with your name beside it.</p>
      <div className="grid grid-cols-2 gap-2">
        {choicesAt(now).map(([label, at]) => (
          <BusyButton key={label} variant="secondary" data-choice="" busy={busy} onClick={() => void putAway(at)}>
            {label}
          </BusyButton>
        ))}
      </div>
      <div className="mt-4 flex items-end gap-2">
        <label className="flex min-w-0 flex-1 flex-col gap-1 text-note text-soft">
          At another time
          <input
            type="datetime-local"
            value={own}
            min={fieldText(now)}
            max={fieldText(now + 31 * DAY)}
            onChange={({ currentTarget }) => setOwn(currentTarget.value)}
            className="min-h-11 w-full rounded-control border border-control bg-surface px-2 text-base text-ink"
          />
        </label>
        <BusyButton busy={busy} disabled={own === ""} onClick={() => void putAway(new Date(own).getTime())}>
          Put away
        </BusyButton>
      </div>
    </Dialog>
  );
}
