import type { ComponentProps } from "react";
import AdminRegistrations from "../../islands/identity/AdminRegistrations";

/** The Registrations tab. */
export const RegistrationsPage = (list: ComponentProps<typeof AdminRegistrations>) => <AdminRegistrations {...list} />;
