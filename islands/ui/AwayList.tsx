import { unsnooze } from "../../src/admin/schema_queues";
import { Button } from "../../views/ui/Button";
import { refreshLists } from "../runtime/live_list";
import { untilText } from "../runtime/snoozes";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";

/** Brings back before its time what the caller put away. */
export async function takeBack(id: string): Promise<boolean> {
  const done = await attempt("Error", async () => {
    await call(unsnooze, undefined, { params: { id } });
    return true;
  });
  if (done) toast({ title: "Back in your list" });
  await refreshLists();
  return done !== null;
}

type Props = { rows: { id: string; name: string; until: string }[]; onBack: (id: string) => void };

/** What the reader of a queue put away, folded: it waits as before, and comes back by itself. */
export const AwayList = ({ rows, onBack }: Props) =>
  rows.length === 0 ? null : (
    <details data-away="" className="mt-3 text-table">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-soft hover:text-ink md:min-h-9">{`${rows.length} put away by you`}</summary>
      <ul aria-label="Put away by you" className="divide-y divide-line border-y border-line">
        {rows.map(({ id, name, until }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {name} <span className="text-soft">until {untilText(until)}</span>
            </span>
            <Button variant="quiet" size="small" aria-label={`Bring back ${name}`} onClick={() => onBack(id)}>
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
