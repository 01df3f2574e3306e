import type { ReactNode } from "react";
import type { StaffDocument } from "../../src/compliance/schema";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { dateText, instantText } from "../ui/instant";
import { documentName, reasonText, STATES } from "./words";

type Word = "approve" | "reject" | "ask";
type Props = {
  documents: StaffDocument[];
  me: string;
  /** The row that the keys act on. */
  current: string | null;
  onCurrent: (id: string) => void;
  /** What stands in the place of the buttons once somebody decided. */
  markOf: (document: StaffDocument) => ReactNode;
  onAsk: (word: Word, id: string) => void;
  onLook: (id: string) => void;
};

export const ownerOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

const LOW = "max-sm:px-2 max-sm:text-table lg:min-h-8 lg:px-3 lg:text-table";

/** A row for each document: what it is, whose, since when, and what can be done about it. */
export const DocumentRows = ({ documents, current, ...rest }: Props) => (
  <ul aria-label="Documents" className="flex flex-col border-t border-line">
    {documents.map((document) => (
      <Row key={document.id} document={document} isCurrent={document.id === current} {...rest} />
    ))}
  </ul>
);

function Row({
  document,
  isCurrent,
  me,
  onCurrent,
  markOf,
  onAsk,
  onLook,
}: Omit<Props, "documents" | "current"> & { document: StaffDocument; isCurrent: boolean }) {
  const { id, userId, email, status, createdAt, reason, administrator, decidedAt, expiresOn } = document;
  const name = `${documentName(document)} of ${ownerOf(document)}`;
  return (
    <li
      data-row={id}
      data-current={isCurrent ? "" : undefined}
      tabIndex={-1}
      onFocus={() => onCurrent(id)}
      className={classes(
        "focus-visible:-outline-offset-2 flex scroll-my-32 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-2 py-2",
        isCurrent ? "bg-accent-soft/30 lg:shadow-[inset_3px_0_var(--c-accent)]" : null,
      )}
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 text-table font-medium">
          {documentName(document)}
          {status === "pending" ? null : <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>}
        </p>
        <p className="text-table [overflow-wrap:anywhere]">
          <a href={`/admin/users/${userId}`} className="text-ink underline-offset-4 hover:underline">
            {ownerOf(document)}
          </a>{" "}
          <span className="text-soft">{email}</span>
        </p>
        <p className="text-note text-soft [overflow-wrap:anywhere]">
          {`Sent ${instantText(createdAt).slice(0, 16)} UTC`}
          {decidedAt ? `. ${administrator ?? "Somebody"}, ${instantText(decidedAt).slice(0, 16)} UTC` : ""}
          {expiresOn ? `. Ends ${dateText(expiresOn)}` : ""}
          {reason ? `. ${reasonText(reason)}` : ""}
        </p>
      </div>
      {markOf(document) ?? (
        <div className="js-only flex w-full justify-between gap-1 sm:w-auto sm:justify-end">
          <Button variant="quiet" className={LOW} data-opens="" aria-label={`Look at: ${name}`} onClick={() => onLook(id)}>
            Look
          </Button>
          {status === "asked" || userId === me ? null : (
            <Button variant="quiet" className={LOW} aria-label={`Ask for another: ${name}`} onClick={() => onAsk("ask", id)}>
              Ask again
            </Button>
          )}
          {status === "pending" && userId !== me ? (
            <>
              <Button variant="quiet" className={LOW} data-key="r" aria-label={`Reject: ${name}`} onClick={() => onAsk("reject", id)}>
                Reject
              </Button>
              <Button variant="secondary" className={LOW} data-key="a" aria-label={`Accept: ${name}`} onClick={() => onAsk("approve", id)}>
                Accept
              </Button>
            </>
          ) : null}
        </div>
      )}
    </li>
  );
}
