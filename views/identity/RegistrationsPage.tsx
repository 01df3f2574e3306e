import type { ComponentProps } from "react";
import { dayFields, FilterMenu } from "../ui/staff/Filters";
import AdminRegistrations from "../../islands/identity/AdminRegistrations";

/** The Registrations tab. */
export const RegistrationsPage = (list: ComponentProps<typeof AdminRegistrations>) => (
  <>
    <div className="relative flex">
      <FilterMenu at="/admin-registrations?" query={{ from: list.from, to: list.to }} label="Days" fields={dayFields("Registered from")} />
    </div>
    <AdminRegistrations {...list} />
  </>
);
