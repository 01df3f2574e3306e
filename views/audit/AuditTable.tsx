import type { AuditEntry } from "../../src/audit/schema";
import { ButtonLink } from "../ui/Button";
import { deviceText } from "../ui/device";
import { EmptyState } from "../ui/States";
import { instantText } from "../ui/instant";
import { type AdminColumn, AdminTable, type Sorting, Two } from "../ui/staff/AdminTable";
import { addressOf, said } from "../ui/staff/address";
import { changesOf, factsOf, wordsOf } from "./audit_words";

/** Whether a search or a filter may be why nothing is there. */
const isNarrowed = ({ query }: Sorting) => said({ ...query, sort: undefined, cursor: undefined }).length > 0;

/** Staff actions, newest first: who, what, to whom, what it changed and why. */
export const AuditTable = ({ entries, sorting }: { entries: AuditEntry[]; sorting?: Sorting }) =>
  entries.length === 0 && sorting && isNarrowed(sorting) ? (
    <EmptyState
      icon="search"
      title="No entries match this"
      action={
        <ButtonLink variant="secondary" href={addressOf(sorting.at, { sort: sorting.query.sort })}>
          Clear search and filters
        </ButtonLink>
      }
    />
  ) : entries.length === 0 ? (
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
    width: "lg:w-[12.5%]",
    cell: ({ id, action }) => <Two first={<span className="font-medium lg:whitespace-nowrap">{wordsOf(action)}</span>} second={`No. ${id}`} />,
  },
  {
    key: "admin",
    title: "Admin",
    roomy: true,
    width: "lg:w-[14%]",
    cell: ({ admin, ipAddress, userAgent }) => (
      <Two
        first={admin ?? "The operator"}
        second={<span data-tip={userAgent || undefined}>{`${ipAddress || "no address"}${userAgent ? `, ${deviceText(userAgent)}` : ""}`}</span>}
      />
    ),
  },
  {
    key: "target",
    low: "brief",
    title: "Target user",
    roomy: true,
    width: "lg:w-[14%]",
    cell: ({ target, targetName }) => (target ? <Two first={targetName} second={target} /> : <span className="text-soft">–</span>),
  },
  { key: "change", title: "Change", cell: (entry) => <Changes entry={entry} /> },
  { key: "reason", title: "Reason", cell: ({ reason }) => <div className="line whitespace-pre-line [overflow-wrap:anywhere]">{reason || "–"}</div> },
  {
    key: "at",
    title: "Time (UTC)",
    sort: "created",
    width: "lg:w-40",
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
      <dl className="line max-lg:flex max-lg:flex-col">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="max-lg:flex max-lg:flex-wrap max-lg:justify-end max-lg:gap-x-1.5 lg:mr-3 lg:inline">
            <dt className="text-soft lg:inline">{field} </dt>
            <dd className="[overflow-wrap:anywhere] lg:inline">
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
        <dl className="line text-note max-lg:mt-0.5 max-lg:flex max-lg:flex-wrap max-lg:justify-end max-lg:gap-x-3">
          {facts.map(({ field, value }) => (
            <div key={field} className="max-lg:flex max-lg:flex-wrap max-lg:gap-x-1 lg:mr-3 lg:inline">
              <dt className="text-soft lg:inline">{field} </dt>
              <dd className="[overflow-wrap:anywhere] lg:inline">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}
