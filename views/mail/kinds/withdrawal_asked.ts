import { fact, given, wayOf, type Writer } from "../letter";

export const withdrawalAsked: Writer = (told) => ({
  subject: `Withdrawal of ${fact(told, "amount")} requested`,
  words: [`${told.firstName}, a withdrawal was asked for from your wallet. The money is held until our staff decide.`],
  facts: given([
    ["Amount", fact(told, "amount")],
    ["By", wayOf(told)],
    ["To", fact(told, "address")],
    ["Not paid before", fact(told, "notBefore")],
  ]),
  action: { label: "See your requests", url: told.at("/dashboard?tab=requests"), note: "While it waits you can cancel it there." },
});
