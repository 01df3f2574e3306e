import type { Permission } from "../lib/permissions";

/** What can be done about a person from the search, by its first word; `do` is how a client's page is asked for it. */
export const personDeeds = ["suspend", "activate", "ban", "kyc"] as const;
export type PersonDeed = (typeof personDeeds)[number];
export const DEED_WORDS: Record<PersonDeed, string> = { suspend: "Suspend", activate: "Activate", ban: "Ban", kyc: "KYC decision on" };

export const DEED_NEEDS: Record<PersonDeed, Permission> = {
  suspend: "people.standing",
  activate: "people.standing",
  ban: "people.standing",
  kyc: "kyc.decide",
};

/** "suspend ada": what is to be done, and about whom; the deed is null where the words are about anything. */
export function commandIn(q: string): { deed: PersonDeed | null; about: string } {
  const [, first = "", rest = ""] = /^(\S+)\s+(\S.*)$/s.exec(q.trim()) ?? [];
  const deed = personDeeds.find((each) => each === first.toLowerCase()) ?? null;
  return deed ? { deed, about: rest.trim() } : { deed: null, about: q.trim() };
}

/** Every order of a name's words in which the last ones come first: "lovelace ada" is "ada lovelace", too. In lower case. */
export function namesIn(q: string): string[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 6);
  return words.map((_, n) => [...words.slice(n), ...words.slice(0, n)].join(" "));
}
