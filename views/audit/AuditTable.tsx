import type { AuditEntry } from "../../src/audit/schema";
import { deviceText } from "../ui/device";
import { EmptyState } from "../ui/States";
import { instantText } from "../ui/instant";
import { type AdminColumn, AdminTable, type Sorting, Two } from "../ui/staff/AdminTable";
import { changesOf, factsOf, wordsOf } from "./audit_words";

/** Staff actions, newest first: who, what, to whom, what it changed and why. */
export const AuditTable = ({ entries, sorting }: { entries: AuditEntry[]; sorting?: Sorting }) =>
  entries.length === 0 ? (
    <EmptyState icon="book" title="No entries">
      Each action of an administrator appears here, and none can be changed or removed.
    </EmptyState>
  ) : (
    <AdminTable caption="Audit trail" {...(sorting ? { sorting } : {})} columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
  );

const COLUMNS: AdminColumn<AuditEntry>[] = [
  {
    key: "action",
    title: "Action",
    lead: true,
    cell: ({ id, action }) => <Two first={<span className="font-medium lg:whitespace-nowrap">{wordsOf(action)}</span>} second={`No. ${id}`} />,
  },
  {
    key: "admin",
    title: "Admin",
    roomy: true,
    cell: ({ admin, ipAddress, userAgent }) => (
      <Two
        first={admin ?? "The operator"}
        second={<span data-tip={userAgent || undefined}>{`${ipAddress || "no address"}${userAgent ? `, ${deviceText(userAgent)}` : ""}`}</span>}
      />
    ),
  },
  {
    key: "target",
    title: "Target user",
    roomy: true,
    cell: ({ target, targetName }) => (target ? <Two first={targetName} second={target} /> : <span className="text-soft">–</span>),
  },
  { key: "change", title: "Change", cell: (entry) => <Changes entry={entry} /> },
  { key: "reason", title: "Reason", cell: ({ reason }) => <span className="whitespace-pre-line [overflow-wrap:anywhere]">{reason || "–"}</span> },
  {
    key: "at",
    title: "Time (UTC)",
    sort: "created",
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {instantText(createdAt)}
      </time>
    ),
  },
];

/** Each field before and after (only after, where there was nothing), then the facts of the action. */
function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry);
  const facts = factsOf(entry.details);
  return (
    <>
      <dl className="flex flex-col gap-0.5">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="flex flex-wrap gap-x-1.5 max-lg:justify-end">
            <dt className="text-soft">{field}</dt>
            <dd className="[overflow-wrap:anywhere]">
              {before === null ? null : (
                <>
                  <del className="text-soft">{before}</del>
                  <span aria-hidden="true"> → </span>
                </>
              )}
              <ins className="font-medium no-underline">{after}</ins>
            </dd>
          </div>
        ))}
      </dl>
      {facts.length ? (
        <dl className="mt-0.5 flex flex-wrap gap-x-3 text-note max-lg:justify-end">
          {facts.map(({ field, value }) => (
            <div key={field} className="flex flex-wrap gap-x-1">
              <dt className="text-soft">{field}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}
