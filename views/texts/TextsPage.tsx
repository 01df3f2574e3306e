import AdminLetters from "../../islands/texts/AdminLetters";
import AdminTexts from "../../islands/texts/AdminTexts";
import type { StaffText } from "../../src/texts/schema";
import type { StaffLetter } from "../../src/texts/schema_letters";

/** The operator's texts of pages and letters, as the Settings tab shows them. */
export const TextsPage = ({ texts, letters, mayChange }: { texts: StaffText[]; letters: StaffLetter[]; mayChange: boolean }) => (
  <>
    <AdminTexts texts={texts} mayChange={mayChange} />
    <AdminLetters letters={letters} mayChange={mayChange} />
  </>
);
