import { type ReactNode, useEffect, useState } from "react";
import { evidence, type Evidence, type QueueKind } from "../../src/admin/schema_queues";
import { Dialog } from "../../views/ui/Dialog";
import { EvidenceFacts } from "../../views/ui/staff/EvidenceFacts";
import { Notice, Skeleton } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";

/** Who walks through a list asks for what is rested on alone: a row is passed in less than this, in ms. */
const REST_MS = 80;
/** Of so many rows what was known is shown again at once. */
const MOST_KEPT = 200;

type Known = { id: string; value: Evidence } | { id: string; fault: string; nobody: boolean };

/** What a decision on this request rests on; what was known of it before shows at once, and is asked for again. */
function useEvidence(kind: QueueKind, id: string): Known | null {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  useEffect(() => {
    let here = true;
    const note = (what: Known) => setKnown((before) => new Map([...before].slice(-MOST_KEPT)).set(id, what));
    const timer = setTimeout(() => {
      call(evidence, undefined, { params: { kind, id } })
        .then((value) => here && note({ id, value }))
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          if (here) note({ id, fault: error.message, nobody: kind === "letter" && error.status === 404 });
        });
    }, REST_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [kind, id]);
  return known.get(id) ?? null;
}

type Props = {
  kind: QueueKind;
  id: string;
  title: string;
  /** There is no client to know anything of, so nothing is asked. */ nobody?: boolean;
  children?: ReactNode;
};

const Content = ({ nobody, children, ...request }: Omit<Props, "title">) =>
  nobody ? (
    <div className="flex flex-col gap-4">
      {children}
      <Nobody />
    </div>
  ) : (
    <Asked {...request}>{children}</Asked>
  );

const Asked = ({ kind, id, children }: Omit<Props, "title" | "nobody">) => {
  const known = useEvidence(kind, id);
  return (
    <div className="flex flex-col gap-4" data-evidence={known && "value" in known ? id : undefined}>
      {children}
      {known === null ? <Skeleton className="h-64 w-full" /> : "fault" in known ? <Fault {...known} /> : null}
      {known && "value" in known ? <EvidenceFacts evidence={known.value} /> : null}
    </div>
  );
};

const Nobody = () => <p className="text-table text-soft">No client has this address.</p>;
const Fault = ({ fault, nobody }: { fault: string; nobody: boolean }) => (nobody ? <Nobody /> : <Notice kind="error">{fault}</Notice>);

/**
 * Beside the list on a wide screen: the evidence for the row that the keys act on. It walks with it, and never moves a row. The room that it may
 * come to take is there from the beginning: below a short list the page would move when it comes.
 */
export const EvidencePanel = ({ title, ...content }: Props) => (
  <div className="js-only hidden min-h-[calc(100dvh-5rem)] xl:block">
    <aside aria-label="Evidence" className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-card border border-line bg-surface p-4">
      <h2 className="mb-3 text-base font-semibold [overflow-wrap:anywhere]">{title}</h2>
      <Content {...content} />
    </aside>
  </div>
);

/** The same where there is no room beside the list. */
export const EvidenceDialog = ({ title, onClose, ...content }: Props & { onClose: () => void }) => (
  <Dialog id="evidence" title={title} open onClose={onClose}>
    <Content {...content} />
  </Dialog>
);
