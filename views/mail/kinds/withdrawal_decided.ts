import { fact, given, type Writer } from "../letter";

const WORDS: Record<string, [subject: string, words: string]> = {
  approved: ["paid out", "your withdrawal was approved and paid out."],
  rejected: ["not approved", "your withdrawal was not approved. The money is back in your wallet."],
  cancelled: ["cancelled", "your withdrawal was cancelled. The money is back in your wallet."],
};

export const withdrawalDecided: Writer = (told) => {
  const [ended, words] = WORDS[fact(told, "status")] ?? ["decided", "your withdrawal was decided."];
  return {
    subject: `Withdrawal of ${fact(told, "amount")} ${ended}`,
    words: [`${told.firstName}, ${words}`],
    facts: given([
      ["To", fact(told, "address")],
      ["Transaction", fact(told, "hash")],
      ["Reason", fact(told, "reason")],
    ]),
    action: { label: "See your requests", url: told.at("/dashboard?tab=requests") },
  };
};
