import { fact, given, type Writer } from "../letter";

export const stopOut: Writer = (told) => ({
  subject: `A position was closed by stop-out on ${fact(told, "account")}`,
  words: [`${told.firstName}, the margin level of this ${fact(told, "book")} account fell below 50 %, so its position with the largest loss was closed.`],
  facts: given([
    ["Account", fact(told, "account")],
    ["Position", fact(told, "position")],
    ["Result", fact(told, "result")],
  ]),
  action: { label: "See the receipt", url: told.at(`/positions/${fact(told, "positionId")}/receipt`) },
});
