import { fact, given, type Writer } from "../letter";

export const depositDecided: Writer = (told) => {
  const approved = fact(told, "status") === "approved";
  return {
    subject: approved ? `Deposit of ${fact(told, "amount")} credited` : `Deposit of ${fact(told, "amount")} not approved`,
    words: [`${told.firstName}, ${approved ? "your deposit is in your wallet." : "we could not approve your deposit. Nothing was credited."}`],
    facts: given([
      ["Credited", fact(told, "credited")],
      ["Bonus", fact(told, "bonus")],
      ["Reason", fact(told, "reason")],
    ]),
    action: { label: "See your requests", url: told.at("/dashboard?tab=requests") },
  };
};
