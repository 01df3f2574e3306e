import type { ComponentProps } from "react";
import { FilterMenu } from "../ui/staff/Filters";
import AdminRegistrations from "../../islands/identity/AdminRegistrations";

/** The Registrations tab. */
export const RegistrationsPage = (list: ComponentProps<typeof AdminRegistrations>) => (
  <>
    <div className="relative flex">
      <FilterMenu
        at="/admin-registrations?"
        query={{ from: list.from, to: list.to }}
        label="Days"
        fields={[
          { name: "from", label: "Registered from (UTC)", type: "date" },
          { name: "to", label: "to", type: "date" },
        ]}
      />
    </div>
    <AdminRegistrations {...list} />
  </>
);
