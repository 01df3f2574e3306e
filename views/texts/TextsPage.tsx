import AdminTexts from "../../islands/texts/AdminTexts";
import type { StaffText } from "../../src/texts/schema";

/** The operator's texts, as the Settings tab shows them. */
export const TextsPage = (props: { texts: StaffText[]; mayChange: boolean }) => <AdminTexts {...props} />;
