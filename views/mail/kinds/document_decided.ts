import { fact, given, type Told, type Writer } from "../letter";

const NAMES: Record<string, string> = {
  identity: "identity document",
  address: "proof of address",
  selfie: "photo of yourself",
  other: "document",
};
const WHY: Record<string, string> = {
  unreadable: "It can't be read: blurred, dark or too small.",
  cut_off: "A part of it is cut off. All four corners must be seen.",
  expired: "It has expired.",
  too_old: "It is older than three months.",
  other_name: "The name on it is another one than in your account.",
  other_kind: "It is another kind of document than was asked for.",
  one_side: "One side of it is missing.",
  altered: "It seems to have been altered.",
};

export const documentText = (told: Told): string => {
  const side = fact(told, "side");
  const kind = fact(told, "kind");
  return `${NAMES[kind] ?? (kind || "document")}${side ? ` (${side})` : ""}`;
};

/** Why a document was not taken, in words. */
export const whyText = (told: Told): string => WHY[fact(told, "reason")] ?? "";

export const documentDecided: Writer = (told) => {
  const name = documentText(told);
  const action = { label: "Open your verification", url: told.at("/verification") };
  const facts = given([
    ["Reason", whyText(told)],
    ["Note", fact(told, "note")],
  ]);
  if (fact(told, "status") === "approved")
    return { subject: `Your ${name} was accepted`, words: [`${told.firstName}, we have checked your ${name} and accepted it.`], facts, action };
  if (fact(told, "status") === "asked")
    return { subject: `Please send your ${name} again`, words: [`${told.firstName}, we need another one in the place of your ${name}.`], facts, action };
  return { subject: `Your ${name} was not accepted`, words: [`${told.firstName}, we could not accept your ${name}. Please send another one.`], facts, action };
};
