/** The pages that refusals name, and what they are called on screens. */
const WAYS: Record<string, string> = { "/verification": "Verification", "/email": "Email address" };

/** A refusal's words in pieces, the pages that it names as links: `Send it under /verification.` */
export const waysIn = (text: string): (string | { href: string; words: string })[] =>
  text
    .split(/(?<!\S)(\/verification|\/email)\b/)
    .filter(Boolean)
    .map((part) => (WAYS[part] ? { href: part, words: WAYS[part] } : part));
