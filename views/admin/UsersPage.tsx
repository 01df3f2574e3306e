import AdminUsers, { type UsersProps } from "../../islands/AdminUsers";
import { panelTab } from "./address";
import { ExportLink, SearchForm, StatusLinks } from "./Filters";

const STATUSES = [
  { id: "all", label: "All" },
  { id: "active", label: "Active" },
  { id: "suspended", label: "Suspended" },
  { id: "banned", label: "Banned" },
] as const;

/** The Users tab. */
export function UsersPage(list: UsersProps) {
  const { query } = list;
  const at = panelTab("users");
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <SearchForm at={at} query={query} label="Search by name, email or ID" />
        <StatusLinks at={at} query={query} choices={STATUSES} label="Account status" />
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
