import { fact, given, wayOf, type Writer } from "../letter";

export const depositAsked: Writer = (told) => ({
  subject: `Deposit of ${fact(told, "amount")} announced`,
  words: [`${told.firstName}, we noted your deposit. It is credited once our staff have seen the payment.`],
  facts: given([
    ["Amount", fact(told, "amount")],
    ["Method", wayOf(told)],
    ["Reference", fact(told, "reference")],
  ]),
  action: { label: "See your requests", url: told.at("/dashboard?tab=requests") },
});
