import { useEffect, useState } from "react";
import { may } from "../../src/lib/may";
import { waitingCounts } from "../../src/admin/schema";
import type { SavedFilter, Snooze } from "../../src/admin/schema_queues";
import { nextOf } from "../../src/lib/cursor";
import type { Outcome } from "../../src/lib/outcome";
import { approveDocuments, type DocumentState, listDocuments, type StaffDocument, undoDocument } from "../../src/compliance/schema";
import { DocumentOwner } from "../../views/compliance/DocumentOwner";
import { DocumentRows, titleOf } from "../../views/compliance/DocumentRows";
import { Button } from "../../views/ui/Button";
import { panelTab } from "../../views/ui/staff/address";
import { dayFields, FilterMenu, Pager, SearchForm, StatusLinks } from "../../views/ui/staff/Filters";
import { SelectAll } from "../../views/ui/staff/SelectBox";
import { EmptyState } from "../../views/ui/States";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { useNow } from "../runtime/now";
import { useQueue } from "../runtime/queue_keys";
import { useSelection } from "../runtime/select_rows";
import { useParted, useSnoozes } from "../runtime/snoozes";
import { idOf, useSteady } from "../runtime/steady";
import { useTogether } from "../runtime/together";
import { upTo } from "../runtime/up_to";
import { AwayList } from "../ui/AwayList";
import { Fresh, Marked } from "../ui/Fresh";
import { LostNotice } from "../ui/LostNotice";
import { QueueSide, useQueueSide } from "../ui/QueueSide";
import { SavedFilters } from "../ui/SavedFilters";
import type { TogetherWords } from "../ui/TogetherDialog";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";
import { DocumentVerdict, type DocumentWord } from "./DocumentVerdict";
import { DocumentView } from "./DocumentView";

type Query = { status: "all" | DocumentState; q: string; from: string; to: string; cursor?: string };
type Props = { documents: StaffDocument[]; total: number; me: string; now: string; snoozes: Snooze[]; filters: SavedFilter[]; query: Query };
const AT = panelTab("kyc");
const STATES = [
  { id: "pending", label: "Waiting" },
  { id: "approved", label: "Accepted" },
  { id: "rejected", label: "Not accepted" },
  { id: "asked", label: "Asked again" },
] as const;
const DONE: Record<DocumentWord, string> = { approve: "Accepted", reject: "Not accepted", ask: "Asked for another" };
/** Of what waits, so many are shown at first, and again with each press; of what was decided, so many a page. */
const PAGE = 100;
const NOTHING: ReadonlyMap<string, string> = new Map();
const isWide = () => matchMedia("(min-width: 80rem)").matches;

/** Documents that wait for a decision, who has waited longest first, each with its file and its owner beside the list; or those that were decided. */
export function AdminDocuments({ documents, total, me, now: at, snoozes, filters, query }: Props) {
  const waits = query.status === "pending";
  const [wanted, setWanted] = useState(PAGE);
  const { mine, others } = useSnoozes("document", me, snoozes);
  const { value, lost, again } = useLive(
    { documents, total },
    async () => {
      if (!waits) return { documents: await call(listDocuments, undefined, { query }), total };
      const { cursor: _cursor, ...search } = query;
      const [rows, counts] = await Promise.all([
        upTo(wanted + mine.size, (page) => call(listDocuments, undefined, { query: { ...search, ...page } })),
        call(waitingCounts),
      ]);
      return { documents: rows, total: counts.documents };
    },
    ["person"],
  );
  useEffect(() => void (wanted > PAGE && again()), [wanted, again]);
  const [here, away] = useParted(value.documents, waits ? mine : NOTHING);
  const [list, area] = useSteady(here, idOf, wanted);
  const now = useNow(at);
  const [asked, setAsked] = useState<{ word: DocumentWord; document: StaffDocument } | null>(null);
  const [seen, setSeen] = useState<string | null>(null);
  const [walked, setWalked] = useState<string | null>(null);
  const queue = useQueue({ rows: waits ? list.open : [], me, needs: "kyc.decide", onAsk: (word, document) => setAsked({ word, document }) });
  const [current, setCurrent] = waits ? [queue.current, queue.setCurrent] : [walked, setWalked];
  const undo = (document: StaffDocument) => async () => {
    const done = await attempt("Undo Failed", () => call(undoDocument, undefined, { params: { id: document.id } }));
    await refreshLists();
    if (done) {
      list.reopen(document.id);
      toast({ title: "Decision undone", description: `${titleOf(document)} waits again.` });
    }
    return done !== null;
  };
  const selection = useSelection(waits && may("kyc.decide") ? list.open.filter(({ userId }) => userId !== me) : []);
  const together = useTogether<StaffDocument, Accepted>(
    (rows) => sendOnce(approveDocuments, { ids: rows.map(({ id }) => id) }),
    ({ id, code }: Outcome<Accepted>) => {
      const document = value.documents.find((each) => each.id === id);
      if (code === null && document) list.decide(id, { text: DONE.approve, undo: undo(document) });
    },
  );
  const side = useQueueSide({ list, current, known: value.documents, putsAway: waits, ...(waits ? { selection, together } : {}) });
  const viewers = viewersOf(list.open, new Map([...others, ...useViewers(me)]));
  useClaim("document", asked?.document.id ?? (waits ? seen : null));

  const nameOf = (id: string) =>
    list.rows
      .filter((row) => row.id === id)
      .map(titleOf)
      .join();
  const look = (id: string) => {
    setCurrent(id);
    setSeen(id);
    if (!isWide()) side.show(id);
  };
  const ask = (word: DocumentWord, id: string) => {
    const document = list.rows.find((row) => row.id === id);
    if (!document || document.userId === me) return;
    setCurrent(id);
    setAsked({ word, document });
  };
  const evidenceOf = (document: StaffDocument) => (
    <>
      <DocumentView key={document.id} document={document} open={seen === document.id} onOpen={() => setSeen(document.id)} />
      <DocumentOwner document={document} />
      {viewers.has(document.id) ? <p className="text-note text-warn">{viewers.get(document.id)}</p> : null}
      {waits ? (
        <div className="flex flex-wrap gap-2">
          {document.userId === me || !may("kyc.decide") ? null : (
            <Button variant="secondary" size="small" onClick={() => ask("ask", document.id)}>
              Ask for another...
            </Button>
          )}
          <Button variant="secondary" size="small" onClick={() => side.putAway(document)}>
            Put away...
          </Button>
        </div>
      ) : null}
    </>
  );
  const narrowed = Boolean(query.q || query.from || query.to);
  const more = waits && value.documents.length >= wanted + mine.size && (narrowed || value.total > value.documents.length);
  const count = more && !narrowed ? value.total : list.open.length + list.fresh + away.length;
  return (
    <div ref={area}>
      <div className="relative mb-1 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="flex items-center gap-2 text-product font-semibold">
          Documents
          {waits ? (
            <span
              aria-label={`${count} waiting`}
              role="img"
              className={
                count ? "rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn" : "rounded-full bg-sunken px-2 text-note tabular-nums text-soft"
              }
            >
              {count.toLocaleString("en-US")}
            </span>
          ) : null}
        </h2>
        {may("kyc.decide") && (selection.rows.length > 0 || (waits && list.open.length > 0)) ? (
          <SelectAll checked={selection.isAll} some={selection.rows.length > 0} onToggle={selection.toggleAll} />
        ) : null}
        <SearchForm at={AT} query={query} label="Search by name, email or ID" />
        <StatusLinks at={AT} query={query} choices={STATES} label="Documents" />
        <FilterMenu at={AT} query={query} label="Days" fields={dayFields("Sent from")} />
        {/* What waits is shown without being asked for. */}
        <SavedFilters queue="kyc" query={waits ? { ...query, status: undefined } : query} filters={filters} />
        <Fresh list={list} />
        <a
          href={`${AT}&view=rules`}
          className="inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table text-accent no-underline hover:underline md:ml-auto md:min-h-9"
        >
          Levels and countries
        </a>
      </div>
      <div className={list.rows.length > 0 ? "xl:grid xl:grid-cols-[minmax(0,1fr)_29rem] xl:gap-6" : undefined}>
        <div className="min-w-0">
          {lost ? <LostNotice /> : null}
          {list.rows.length === 0 ? (
            <EmptyState icon="check" title={waits && !narrowed ? "No document waits" : "No documents found"}>
              {narrowed ? "Nothing matches this search." : "What people send to show who they are appears here by itself."}
            </EmptyState>
          ) : (
            <Marked list={list} name={nameOf} gone={() => (waits ? "No longer waiting" : "No longer in this list")}>
              <DocumentRows
                documents={list.rows}
                {...{ me, now, waits, viewers }}
                current={current}
                onCurrent={setCurrent}
                onAsk={ask}
                onLook={look}
                selecting={selection}
              />
            </Marked>
          )}
          {more ? (
            <Button variant="secondary" className="js-only mt-2" onClick={() => setWanted(wanted + PAGE)}>
              Show more that wait
            </Button>
          ) : null}
          {waits ? null : <Pager at={AT} query={query} next={nextOf(value.documents, PAGE)} />}
          <AwayList
            rows={away.map((document) => ({ id: document.id, name: titleOf(document), until: mine.get(document.id) ?? "" }))}
            onBack={(id) => void side.back(id)}
          />
        </div>
        <QueueSide side={side} kind="document" words={WORDS} title={titleOf} name={titleOf} evidence={evidenceOf} />
      </div>
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

type Accepted = { id: string; userId: string };

const unseenText = (unseen: number) => (unseen === 1 ? "One of them was looked at by nobody." : `${unseen} of them were looked at by nobody.`);
const WORDS: TogetherWords<StaffDocument, Accepted> = {
  what: (documents) => (documents.length === 1 ? "1 document" : `${documents.length} documents`),
  consequence: (documents) => {
    const people = new Set(documents.map(({ userId }) => userId)).size;
    const unseen = documents.filter(({ views }) => views === 0).length;
    return `Accepts what ${people === 1 ? "one person" : `${people} people`} sent, without a day on which it ends. ${unseen > 0 ? unseenText(unseen) : ""}`.trim();
  },
  name: titleOf,
  person: ({ userId }) => userId,
  done: () => "accepted",
  typed: () => null,
};

export default island("AdminDocuments", AdminDocuments);
