import AdminUsers, { type UsersProps } from "../../islands/AdminUsers";
import { Filters, Pager } from "./Filters";

const STATUSES = [
  { id: "all", label: "All" },
  { id: "active", label: "Active" },
  { id: "suspended", label: "Suspended" },
  { id: "banned", label: "Banned" },
] as const;

/** The Users tab. `next` is the cursor of the page after this one, null on the last. */
export function UsersPage({ next, ...list }: UsersProps & { next: string | null }) {
  const { q, status, cursor } = list.query;
  return (
    <div className="flex flex-col gap-3">
      <Filters tab="users" q={q} status={status} choices={STATUSES} searchLabel="Search by name, email or ID" statusLabel="Account status" />
      <AdminUsers {...list} />
      <Pager tab="users" q={q} status={status === "all" ? "" : status} next={next} paged={cursor !== undefined} />
    </div>
  );
}
