import { fact, type Writer } from "../letter";

export const payoutAddress: Writer = (told) => ({
  subject: "A withdrawal address was noted",
  words: [`${told.firstName}, an address was added to those that your withdrawals may go to.`],
  facts: [
    ["Name", fact(told, "name")],
    ["Address", `${fact(told, "currency")} ${fact(told, "address")}`.trim()],
  ],
});
