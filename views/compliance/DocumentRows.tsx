import { may } from "../../src/lib/may";
import type { StaffDocument } from "../../src/compliance/schema";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { dateText, instantText } from "../ui/instant";
import { type AdminColumn, AdminTable, ClientLink, Two } from "../ui/staff/AdminTable";
import { type Selecting, SelectBox } from "../ui/staff/SelectBox";
import { waitOf } from "../ui/staff/waits";
import { documentName, reasonText, STATES } from "./words";

type Word = "approve" | "reject" | "ask";
type Props = {
  documents: StaffDocument[];
  me: string;
  now: number;
  /** Documents that wait, so each has its decision; else those that were decided about. */
  waits: boolean;
  /** Which other administrators have a document open, or put it away, in words, by its id. */
  viewers: ReadonlyMap<string, string>;
  /** The row that the keys act on. */
  current: string | null;
  onCurrent: (id: string) => void;
  onAsk: (word: Word, id: string) => void;
  /** Shows the file. */
  onLook: (id: string) => void;
  selecting: Selecting;
};

export const ownerOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
/** "Selfie of Ada Lovelace". */
export const titleOf = (document: StaffDocument) => `${documentName(document)} of ${ownerOf(document)}`;

/** A row for each document: whose it is, what it is, since when, and what can be done about it. */
export const DocumentRows = ({ documents, current, onCurrent, ...given }: Props) => (
  <AdminTable
    caption="Documents"
    columns={columnsOf(given)}
    rows={documents}
    rowKey={({ id }) => id}
    current={current}
    onCurrent={onCurrent}
    swipe={({ id, userId }) =>
      given.waits && userId !== given.me && may("kyc.decide")
        ? { right: { label: "Accept", onSwipe: () => given.onAsk("approve", id) }, left: { label: "Reject", onSwipe: () => given.onAsk("reject", id) } }
        : null
    }
  />
);

type Given = Omit<Props, "documents" | "current" | "onCurrent">;

function columnsOf({ me, now, waits, viewers, onAsk, onLook, selecting }: Given): AdminColumn<StaffDocument>[] {
  const who: AdminColumn<StaffDocument> = {
    key: "who",
    title: "Who",
    lead: true,
    roomy: true,
    width: "lg:w-[26%]",
    cell: (document) => <ClientLink id={document.userId} name={ownerOf(document)} email={document.email} />,
  };
  const what: AdminColumn<StaffDocument> = {
    key: "what",
    title: "Document",
    low: "brief",
    roomy: true,
    cell: (document) => <Two first={documentName(document)} second={<Beside document={document} viewers={viewers.get(document.id)} />} />,
  };
  const actions: AdminColumn<StaffDocument> = {
    key: "actions",
    title: "Actions",
    numeric: true,
    width: waits ? "lg:w-58" : "lg:w-44",
    cell: (document) => <Deeds {...{ document, me, waits, onAsk, onLook }} />,
  };
  if (!waits)
    return [who, what, { key: "decision", title: "Decision", roomy: true, width: "lg:w-[34%]", cell: (document) => <Decision document={document} /> }, actions];
  return [
    {
      key: "select",
      title: "Select",
      width: "lg:w-16",
      cell: (document) => (document.userId === me || !may("kyc.decide") ? null : <SelectBox id={document.id} name={titleOf(document)} selecting={selecting} />),
    },
    who,
    what,
    {
      key: "wait",
      title: "Waiting",
      numeric: true,
      low: "sum",
      width: "lg:w-24",
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} data-tip={`${instantText(createdAt)} UTC`} className="whitespace-nowrap tabular-nums text-soft">
          {waitOf(createdAt, now).text}
        </time>
      ),
    },
    actions,
  ];
}

/** What else is to be known of it in a word: who has it open, else whether staff have looked at it. */
const Beside = ({ document: { views, expiresOn }, viewers }: { document: StaffDocument; viewers: string | undefined }) =>
  viewers ? (
    <span data-looking="" className="inline-flex items-center gap-1 text-warn">
      <Icon name="eye" className="size-4 shrink-0" />
      {viewers}
    </span>
  ) : (
    <>{expiresOn ? `Ends ${dateText(expiresOn)}` : views === 0 ? "not looked at yet" : views === 1 ? "looked at once" : `looked at ${views} times`}</>
  );

/** How it was decided, by whom and when, and why. */
const Decision = ({ document: { status, administrator, decidedAt, createdAt, reason } }: { document: StaffDocument }) => (
  <Two
    first={
      <>
        <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>{" "}
        <span className="text-note text-soft">
          {decidedAt ? `${instantText(decidedAt).slice(0, 16)} UTC ${administrator ?? "Somebody"}` : `Sent ${instantText(createdAt).slice(0, 16)} UTC`}
        </span>
      </>
    }
    second={reason ? reasonText(reason) : ""}
  />
);

type DeedProps = Pick<Given, "me" | "waits" | "onAsk" | "onLook"> & { document: StaffDocument };

/** Nobody decides about one's own documents. */
function Deeds({ document, me, waits, onAsk, onLook }: DeedProps) {
  const { id, userId, status } = document;
  const name = titleOf(document);
  const isOwn = userId === me;
  return (
    <span className="js-only inline-flex items-center justify-end gap-1 max-lg:flex-wrap">
      {isOwn ? <span className="whitespace-normal text-note text-soft">Your own: another administrator decides</span> : null}
      {waits && !isOwn && may("kyc.decide") ? (
        <>
          <Button size="small" variant="secondary" data-key="a" aria-label={`Accept: ${name}`} onClick={() => onAsk("approve", id)}>
            Accept
          </Button>
          <Button size="small" variant="quiet" data-key="r" aria-label={`Reject: ${name}`} onClick={() => onAsk("reject", id)}>
            Reject
          </Button>
        </>
      ) : null}
      {waits || isOwn || status === "asked" || !may("kyc.decide") ? null : (
        <Button size="small" variant="quiet" aria-label={`Ask for another: ${name}`} onClick={() => onAsk("ask", id)}>
          Ask again
        </Button>
      )}
      <Button size="small" variant="quiet" data-opens="" aria-label={`Look at: ${name}`} onClick={() => onLook(id)}>
        Look
      </Button>
    </span>
  );
}
