/** What can be done about a person from the search, by its first word; `do` is how a client's page is asked for it. */
export const personDeeds = ["suspend", "activate", "ban", "kyc"] as const;
export type PersonDeed = (typeof personDeeds)[number];
export const DEED_WORDS: Record<PersonDeed, string> = { suspend: "Suspend", activate: "Activate", ban: "Ban", kyc: "KYC decision on" };

/** "suspend ada": what is to be done, and about whom; the deed is null where the words are about anything. */
export function commandIn(q: string): { deed: PersonDeed | null; about: string } {
  const [, first = "", rest = ""] = /^(\S+)\s+(\S.*)$/s.exec(q.trim()) ?? [];
  const deed = personDeeds.find((each) => each === first.toLowerCase()) ?? null;
  return deed ? { deed, about: rest.trim() } : { deed: null, about: q.trim() };
}

/** The first and the last id that begin with these letters (a whole id, eight letters of one at least, or a deposit's reference); null for other words. */
export function idsIn(q: string): { first: string; last: string } | null {
  const plain = q.replace(/^DEP-/i, "").replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{8,32}$/.test(plain)) return null;
  const idOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { first: idOf(plain.padEnd(32, "0")), last: idOf(plain.padEnd(32, "f")) };
}

/** Every order of a name's words in which the last ones come first: "lovelace ada" is "ada lovelace", too. In lower case. */
export function namesIn(q: string): string[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 6);
  return words.map((_, n) => [...words.slice(n), ...words.slice(0, n)].join(" "));
}
