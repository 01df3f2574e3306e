import { mayNot, type Permission } from "../../src/lib/permissions";
import { EmptyState } from "../ui/States";

/** In the place of what the reader may not see. */
export const NotAllowed = ({ permission }: { permission: Permission }) => (
  <EmptyState icon="shield" title="Not for your role">
    {mayNot(permission)}
  </EmptyState>
);
