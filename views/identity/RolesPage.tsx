import AdminRoles from "../../islands/identity/AdminRoles";
import type { StaffRole } from "../../src/identity/schema_staff";

/** The roles of staff: who has which, and what each lets do. */
export const RolesPage = ({ roles }: { roles: StaffRole[] }) => (
  <section aria-labelledby="roles" className="flex max-w-[72rem] flex-col gap-3">
    <div>
      <h2 id="roles" className="text-product font-semibold">
        Roles
      </h2>
      <p className="max-w-prose text-table text-soft">
        What somebody of the staff may do is what the role says. A role is given on a person&rsquo;s page under Users; what is changed here counts from
        everybody&rsquo;s next request on.
      </p>
    </div>
    <AdminRoles roles={roles} />
  </section>
);
