import AdminRegistrations from "../../islands/identity/AdminRegistrations";
import type { PendingRegistration } from "../../src/identity/schema";

/** The Registrations tab. */
export const RegistrationsPage = (list: { people: PendingRegistration[]; total: number; me: string }) => <AdminRegistrations {...list} />;
