import AdminAudit from "../../islands/audit/AdminAudit";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter } from "../../src/admin/schema_queues";
import { type AuditEntry, auditSubjects } from "../../src/audit/schema";
import { type ListQuery, panelTab } from "../ui/staff/address";
import { AuditTable } from "./AuditTable";
import { fieldText, wordsOf } from "./audit_words";
import { ExportLink, dayFields, FilterMenu, Pager, SearchForm } from "../ui/staff/Filters";

type Props = {
  entries: AuditEntry[];
  query: ListQuery;
  next: string | null;
  /** Every kind of action in the book. */ actions: string[];
  filters: SavedFilter[];
};

const SUBJECTS = [{ id: "all", label: "All" }, ...auditSubjects.map((id) => ({ id, label: `${fieldText(id)}s` }))];
const AT = panelTab("audit");

/** The Audit Trail tab. */
export const AuditPage = ({ entries, query, next, actions, filters }: Props) => (
  <div className="flex flex-col gap-1">
    <div className="relative flex flex-wrap items-center gap-x-2 gap-y-1">
      <SearchForm at={AT} query={query} label="Search by person, action or reason" />
      <FilterMenu
        at={AT}
        query={query}
        label="Filter the audit trail"
        fields={[
          { name: "status", label: "Subject", choices: SUBJECTS },
          { name: "admin", label: "Admin", type: "text", placeholder: "Email or ID" },
          { name: "target", label: "Target user", type: "text", placeholder: "Email or ID" },
          { name: "action", label: "Action", choices: [{ id: "", label: "Any" }, ...actions.map((id) => ({ id, label: wordsOf(id) }))] },
          ...dayFields(),
        ]}
      />
      <SavedFilters queue="audit" query={query} filters={filters} />
      <div className="flex flex-wrap items-center gap-2 md:ml-auto">
        <ExportLink path="/api/admin/audit-trail" query={query} />
        <AdminAudit />
      </div>
    </div>
    <AuditTable entries={entries} sorting={{ at: AT, query }} />
    <Pager at={AT} query={query} next={next} />
  </div>
);
