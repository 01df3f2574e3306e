import type { ComponentProps } from "react";
import AdminDocuments from "../../islands/compliance/AdminDocuments";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter } from "../../src/admin/schema_queues";
import { dayFields, FilterMenu, SearchForm, StatusLinks } from "../ui/staff/Filters";
import { panelTab } from "../ui/staff/address";

const STATES = [
  { id: "pending", label: "Waiting" },
  { id: "approved", label: "Accepted" },
  { id: "rejected", label: "Not accepted" },
  { id: "asked", label: "Asked again" },
] as const;

type Props = ComponentProps<typeof AdminDocuments> & { filters: SavedFilter[] };

/** The KYC tab. */
export function DocumentsPage({ filters, ...list }: Props) {
  const at = panelTab("kyc");
  const { query } = list;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <SearchForm at={at} query={query} label="Search by name, email or ID" />
        <StatusLinks at={at} query={query} choices={STATES} label="Documents" />
        <FilterMenu at={at} query={query} label="Days" fields={dayFields("Sent from")} />
        {/* What waits is shown without being asked for. */}
        <SavedFilters queue="kyc" query={query.status === "pending" ? { ...query, status: undefined } : query} filters={filters} />
        <a
          href={`${at}&view=rules`}
          className="inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table text-accent no-underline hover:underline md:ml-auto md:min-h-9"
        >
          Levels and countries
        </a>
      </div>
      <AdminDocuments {...list} />
    </div>
  );
}
