import type { User } from "../../src/identity/schema";
import { titled } from "../ui/titled";

/** What the portal tells a person of their own standing. */
export type Standing = Pick<User, "creditScore" | "riskLevel" | "tradingExperience" | "accountStatus" | "kycStatus" | "registrationStatus">;

/** The usual bands of a score from 300 to 850. */
export function creditWord(score: number): string {
  if (score >= 750) return "Excellent";
  if (score >= 700) return "Good";
  return score >= 650 ? "Fair" : "Poor";
}

/** One word for where the person stands: what keeps them from trading live comes first. */
export function statusWord({ accountStatus, kycStatus, registrationStatus }: Standing): { word: string; good: boolean } {
  if (accountStatus !== "active") return { word: titled(accountStatus), good: false };
  if (registrationStatus !== "approved") return { word: "Awaiting approval", good: false };
  if (kycStatus === "verified") return { word: "Verified", good: true };
  return { word: kycStatus === "rejected" ? "Identity check rejected" : "Approved, identity not yet verified", good: false };
}
