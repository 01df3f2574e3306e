import type { HouseClaim } from "../../src/texts/schema_claims";
import type { TextPage } from "../../src/texts/schema";

export const TEXT_NAMES: Record<TextPage, string> = {
  terms: "Terms of service",
  privacy: "Privacy policy",
  "payment-policy": "Payment policy",
  about: "About",
  faq: "Questions and answers",
};

export const CLAIM_KINDS: Record<HouseClaim["kind"], string> = {
  award: "Award",
  licence: "Licence",
  client_numbers: "Numbers of clients",
  other: "Other",
};

/** Whether pages show a claim now (`now`: ms), and why not. */
export function claimState({ evidence, startsAt, endsAt }: Pick<HouseClaim, "evidence" | "startsAt" | "endsAt">, now: number): string {
  if (evidence === "") return "No: no evidence";
  if (startsAt !== null && Date.parse(startsAt) > now) return `From ${startsAt.slice(0, 16).replace("T", " ")} UTC`;
  if (endsAt === null) return "Yes";
  const until = `${endsAt.slice(0, 16).replace("T", " ")} UTC`;
  return Date.parse(endsAt) <= now ? `No more, since ${until}` : `Until ${until}`;
}
