import AdminAudit from "../../islands/AdminAudit";
import { type AuditEntry, auditSubjects } from "../../src/audit/schema";
import { AuditTable } from "./AuditTable";
import { fieldText } from "./audit_words";
import { Filters, Pager } from "./Filters";

type Props = { entries: AuditEntry[]; q: string; status: string; next: string | null; paged: boolean };

const SUBJECTS = [{ id: "all", label: "All" }, ...auditSubjects.map((id) => ({ id, label: `${fieldText(id)}s` }))];

/** The Audit Trail tab. */
export const AuditPage = ({ entries, q, status, next, paged }: Props) => (
  <div className="flex flex-col gap-3">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Filters tab="audit" q={q} status={status} choices={SUBJECTS} searchLabel="Search by person, action or reason" statusLabel="Subject" />
      <AdminAudit />
    </div>
    <AuditTable entries={entries} />
    <Pager tab="audit" q={q} status={status === "all" ? "" : status} next={next} paged={paged} />
  </div>
);
