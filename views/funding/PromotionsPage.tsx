import AdminPromotions from "../../islands/funding/AdminPromotions";
import type { StaffPromotion } from "../../src/funding/schema_promotions";

/** What is offered for deposits, as the Settings tab shows it. */
export const PromotionsPage = (props: { promotions: StaffPromotion[]; mayChange: boolean; waits: boolean }) => <AdminPromotions {...props} />;
