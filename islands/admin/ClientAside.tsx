import { useEffect, useState } from "react";
import { type ClientBeside as Beside, readBeside } from "../../src/admin/schema_timeline";
import { ClientBeside } from "../../views/admin/ClientBeside";
import { Button } from "../../views/ui/Button";
import { Notice, Skeleton } from "../../views/ui/States";
import { MergeDialog } from "../support/MergeDialog";
import { refreshLists, useLive } from "../runtime/live_list";
import { ApiError, call } from "../wire/api";

/** However much happens, it is read no more often than this, in ms. */
const REST_MS = 2000;
const ABOUT = ["person", "deposit", "withdrawal", "correction", "trade", "account", "ticket", "chat"] as const;

type Props = {
  userId: string;
  now: number;
  /** The ticket that is open, where others can be merged into it. */ target: { id: string; subject: string } | null;
};

/** What is known of the client whose conversation is open, kept current. */
export function ClientAside({ userId, now, target }: Props) {
  const [first, setFirst] = useState<Beside | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    call(readBeside, undefined, { params: { id: userId } })
      .then((value) => here && setFirst(value))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (here) setFault(error.message);
      });
    return () => void (here = false);
  }, [userId]);
  if (fault) return <Notice kind="error">{fault}</Notice>;
  return first ? <Known key={first.id} {...{ first, now, target }} /> : <Skeleton className="h-64 w-full" />;
}

function Known({ first, now, target }: Omit<Props, "userId"> & { first: Beside }) {
  const { value } = useLive(first, () => call(readBeside, undefined, { params: { id: first.id } }), ABOUT, { rest: REST_MS });
  const [isMerging, setMerging] = useState(false);
  const choices = value.tickets.filter(({ id, merged, objects }) => id !== target?.id && !merged && !objects);
  return (
    <ClientBeside client={value} now={now} here={target?.id ?? ""}>
      {target && choices.length > 0 ? (
        <Button variant="secondary" size="small" className="self-start" onClick={() => setMerging(true)}>
          Merge tickets
        </Button>
      ) : null}
      {isMerging && target ? (
        <MergeDialog
          {...{ target, choices }}
          onClose={() => {
            setMerging(false);
            void refreshLists();
          }}
        />
      ) : null}
    </ClientBeside>
  );
}
