import type { Document } from "../../src/compliance/schema";
import { Badge } from "../ui/Badge";
import { Panel } from "../ui/Card";
import { dateText, instantText } from "../ui/instant";
import { documentName, reasonText, sizeText, STATES } from "./words";

/** What a person sent, what became of it, and when staff looked at it. */
export const DocumentList = ({ documents }: { documents: Document[] }) =>
  documents.length === 0 ? null : (
    <Panel title="Your documents">
      <ul aria-label="Your documents" className="flex flex-col divide-y divide-line">
        {documents.map((document) => (
          <Sent key={document.id} document={document} />
        ))}
      </ul>
    </Panel>
  );

function Sent({ document }: { document: Document }) {
  const { id, status, reason, note, createdAt, size, expiresOn, seen } = document;
  const [last] = seen;
  const name = documentName(document);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{name}</p>
        <p className="text-table text-soft">
          {`Sent ${instantText(createdAt).slice(0, 16)} UTC, ${sizeText(size)}`}
          {expiresOn ? `. Ends ${dateText(expiresOn)}` : ""}
        </p>
        {reason ? <p className="mt-1 text-table">{reasonText(reason)}</p> : null}
        {note ? <p className="mt-1 text-table [overflow-wrap:anywhere]">{note}</p> : null}
        {last ? (
          <p className="mt-1 text-note text-soft">
            {`Seen by compliance on ${instantText(last).slice(0, 16)} UTC${seen.length > 1 ? ` (${seen.length} times)` : ""}`}
          </p>
        ) : null}
      </div>
      <div className="flex items-center gap-3">
        <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>
        <a
          href={`/api/kyc/documents/${id}`}
          aria-label={`Download: ${name}`}
          className="inline-flex min-h-11 items-center text-table text-accent underline underline-offset-4"
        >
          Download
        </a>
      </div>
    </li>
  );
}
