import AdminClaims from "../../islands/texts/AdminClaims";
import type { HouseClaim } from "../../src/texts/schema_claims";

/** What the operator claims of the house, as the Settings tab shows it. */
export const ClaimsPage = (props: { claims: HouseClaim[]; mayChange: boolean }) => <AdminClaims {...props} />;
