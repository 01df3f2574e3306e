import { useState } from "react";
import { nextOf } from "../../src/lib/cursor";
import { type DocumentState, listDocuments, type StaffDocument, undoDocument } from "../../src/compliance/schema";
import { DocumentRows, ownerOf } from "../../views/compliance/DocumentRows";
import { documentName } from "../../views/compliance/words";
import { panelTab } from "../../views/ui/staff/address";
import { Pager } from "../../views/ui/staff/Filters";
import { EmptyState } from "../../views/ui/States";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { useQueue } from "../runtime/queue_keys";
import { idOf, useSteady } from "../runtime/steady";
import { EvidenceDialog, EvidencePanel } from "../ui/EvidencePanel";
import { Fresh, markOf } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { DocumentVerdict, type DocumentWord } from "./DocumentVerdict";
import { DocumentView } from "./DocumentView";

type Query = { status: "all" | DocumentState; q: string; from: string; to: string; cursor?: string };
type Props = { documents: StaffDocument[]; total: number; me: string; query: Query };
const DONE: Record<DocumentWord, string> = { approve: "Accepted", reject: "Not accepted", ask: "Asked for another" };

/** Documents that wait for a decision, who has waited longest first, each with its file and its owner beside the list. */
export function AdminDocuments({ documents, total, me, query }: Props) {
  const { value, lost } = useLive(documents, () => call(listDocuments, undefined, { query }), ["person"]);
  const [list, area] = useSteady(value, idOf);
  const [asked, setAsked] = useState<{ word: DocumentWord; document: StaffDocument } | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const waits = query.status === "pending";
  const queue = useQueue({
    rows: waits ? list.open : [],
    me,
    onAsk: (word, document) => setAsked({ word, document }),
  });
  const atHand = list.rows.find(({ id }) => id === (queue.current ?? shown)) ?? list.open[0] ?? list.rows[0] ?? null;
  const opened = list.rows.find(({ id }) => id === shown) ?? null;
  const isWide = () => matchMedia("(min-width: 80rem)").matches;
  const look = (id: string) => {
    queue.setCurrent(id);
    setShown(id);
  };
  const undo = (document: StaffDocument) => async () => {
    const done = await attempt("Undo Failed", () => call(undoDocument, undefined, { params: { id: document.id } }));
    await refreshLists();
    if (done) {
      list.reopen(document.id);
      toast({ title: "Decision undone", description: `${documentName(document)} of ${ownerOf(document)} waits again.` });
    }
    return done !== null;
  };
  const ask = (word: DocumentWord, id: string) => {
    const document = list.rows.find((row) => row.id === id);
    if (document && document.userId !== me) setAsked({ word, document });
  };
  const view = (document: StaffDocument, isOpen: boolean) => (
    <DocumentView key={document.id} document={document} open={isOpen} onOpen={() => look(document.id)} />
  );
  return (
    <div ref={area} className="xl:grid xl:grid-cols-[minmax(0,1fr)_36rem] xl:gap-6">
      <div className="min-w-0">
        <div className="mb-1 flex flex-wrap items-center gap-x-4">
          <h2 className="flex items-center gap-2 text-product font-semibold">
            Documents
            {waits ? (
              <span
                aria-label={`${total} waiting`}
                role="img"
                className={
                  total ? "rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn" : "rounded-full bg-sunken px-2 text-note tabular-nums text-soft"
                }
              >
                {total}
              </span>
            ) : null}
          </h2>
          <Fresh list={list} />
        </div>
        {lost ? <LostNotice /> : null}
        {list.rows.length === 0 ? (
          <EmptyState icon="check" title={waits && !query.q ? "No document waits" : "No documents found"}>
            What people send to show who they are appears here by itself.
          </EmptyState>
        ) : (
          <DocumentRows
            documents={list.rows}
            me={me}
            current={queue.current}
            onCurrent={queue.setCurrent}
            markOf={(document) => markOf(list, document.id, ownerOf(document), () => "No longer in this list")}
            onAsk={ask}
            onLook={look}
          />
        )}
        <Pager at={panelTab("kyc")} query={query} next={nextOf(value, 100)} />
      </div>
      {atHand ? (
        <EvidencePanel kind="registration" id={atHand.userId} title={`${documentName(atHand)} of ${ownerOf(atHand)}`}>
          {view(atHand, shown === atHand.id)}
        </EvidencePanel>
      ) : null}
      {opened && !isWide() ? (
        <EvidenceDialog
          key={opened.id}
          kind="registration"
          id={opened.userId}
          title={`${documentName(opened)} of ${ownerOf(opened)}`}
          onClose={() => setShown(null)}
        >
          {view(opened, true)}
        </EvidenceDialog>
      ) : null}
      {asked ? (
        <DocumentVerdict
          key={asked.document.id + asked.word}
          {...asked}
          onClose={(done) => {
            if (done) list.decide(asked.document.id, { text: DONE[asked.word], undo: undo(asked.document) });
            setAsked(null);
            void refreshLists();
          }}
        />
      ) : null}
    </div>
  );
}

export default island("AdminDocuments", AdminDocuments);
