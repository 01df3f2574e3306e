import type { TextPage } from "../../src/texts/schema";

export const TEXT_NAMES: Record<TextPage, string> = {
  terms: "Terms of service",
  privacy: "Privacy policy",
  "payment-policy": "Payment policy",
  about: "About",
  faq: "Questions and answers",
};
