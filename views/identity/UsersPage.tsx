import { may } from "../../src/lib/may";
import RoleQueue from "../../islands/identity/RoleQueue";
import AdminUsers, { type UsersProps } from "../../islands/identity/AdminUsers";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter, Snooze } from "../../src/admin/schema_queues";
import type { RoleRequest } from "../../src/identity/schema_roles";
import { panelTab } from "../ui/staff/address";
import { ExportLink, dayFields, FilterMenu, SearchForm, StatusLinks } from "../ui/staff/Filters";

const STATUSES = [
  { id: "all", label: "All" },
  { id: "active", label: "Active" },
  { id: "suspended", label: "Suspended" },
  { id: "banned", label: "Banned" },
] as const;

/** Who waits for a check of identity is a queue, too. */
const KYC = [
  { id: "all", label: "All" },
  { id: "pending", label: "Waiting" },
  { id: "verified", label: "Verified" },
  { id: "rejected", label: "Rejected" },
] as const;

type Props = UsersProps & { roleRequests: RoleRequest[]; filters: SavedFilter[]; snoozes: Snooze[] };

/** The Users tab. */
export function UsersPage({ roleRequests, filters, snoozes, ...list }: Props) {
  const { query } = list;
  const at = panelTab("users");
  return (
    <div data-steady="" className="flex flex-col gap-1">
      {may("roles.read") ? <RoleQueue requests={roleRequests} snoozes={snoozes} me={list.me} /> : null}
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <SearchForm at={at} query={query} label="Search by name, email or ID" />
        <StatusLinks at={at} query={query} choices={STATUSES} label="Account status" />
        <FilterMenu at={at} query={query} label="Filter users" fields={[{ name: "kyc", label: "KYC", choices: KYC }, ...dayFields("Registered from")]} />
        <SavedFilters queue="users" query={query} filters={filters} />
        <span className="md:ml-auto">
          <ExportLink path="/api/admin/users" query={query} />
        </span>
      </div>
      <div>
        <AdminUsers {...list} />
      </div>
    </div>
  );
}
