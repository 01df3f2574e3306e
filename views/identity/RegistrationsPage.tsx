import AdminRegistrations from "../../islands/identity/AdminRegistrations";
import type { PendingRegistration } from "../../src/identity/schema";

export const RegistrationsPage = (list: { people: PendingRegistration[]; total: number; me: string }) => (
  <div className="flex w-full flex-col gap-3 px-4 py-3 md:px-6">
    <AdminRegistrations {...list} />
  </div>
);
