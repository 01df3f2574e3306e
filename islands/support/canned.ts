import type { CannedAnswer } from "../../src/support/schema_inbox";

/** Ready answers, found by what is typed after a semicolon. */

/** Where in the text a ready answer is being named: from its semicolon to the caret; null where none is. */
export function namedAt(text: string, caret: number): { from: number; words: string } | null {
  const [, words] = /(?:^|\s);([^\s;][^;\n]{0,40}|)$/.exec(text.slice(0, caret)) ?? [];
  return words === undefined ? null : { from: caret - words.length - 1, words };
}

/** Those whose title holds each of the words; whose title begins with them first. */
export function named(canned: readonly CannedAnswer[], words: string): CannedAnswer[] {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ title }: CannedAnswer) => title.toLowerCase().startsWith(asked.join(" "));
  const found = canned.filter(({ title }) => asked.every((word) => title.toLowerCase().includes(word)));
  return [...found.filter(begins), ...found.filter((each) => !begins(each))];
}

/** What a ready answer says of whom it is for. */
export type About = { firstName: string; lastName: string; subject: string };
/** "{first name}" and the like, filled in. What is none of these stays as it was written. */
export const filledIn = (body: string, { firstName, lastName, subject }: About): string =>
  body.replace(/\{(first name|name|subject)\}/g, (_, what: string) =>
    what === "subject" ? subject : what === "name" ? `${firstName} ${lastName}` : firstName,
  );
