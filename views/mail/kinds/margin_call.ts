import { fact, given, type Writer } from "../letter";

export const marginCall: Writer = (told) => ({
  subject: `Margin call on ${fact(told, "account")}`,
  words: [
    `${told.firstName}, the margin level of this ${fact(told, "book")} account fell below 100 %. Below 50 % the position with the largest loss is closed.`,
    "Closing a position or moving money into the account raises the level.",
  ],
  facts: given([
    ["Account", fact(told, "account")],
    ["Margin level", fact(told, "level") && `${fact(told, "level")} %`],
  ]),
  action: { label: "Open the traders portal", url: told.at("/traders-portal") },
});
