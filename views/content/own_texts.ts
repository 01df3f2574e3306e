import type { TextPage } from "../../src/texts/schema";
import { faq, faqText } from "./faq";
import { privacySections } from "./PrivacyPage";
import type { Section } from "./Prose";
import { termsSections } from "./TermsPage";

const textOf = (sections: readonly Section[]) => sections.map(({ title, paragraphs }) => [`## ${title}`, ...paragraphs.map(String)].join("\n\n")).join("\n\n");

/** The program's own text of a page as Markdown, to begin from; null where the page is more than text. */
export function ownText(page: TextPage, demonstration: boolean): string | null {
  if (page === "terms") return textOf(termsSections(demonstration));
  if (page === "privacy") return textOf(privacySections());
  return page === "faq" ? faqText(faq) : null;
}
