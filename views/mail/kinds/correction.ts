import { fact, given, type Writer } from "../letter";

export const correction: Writer = (told) => ({
  subject: "A position was settled by an administrator",
  words: [`${told.firstName}, one of your positions was settled with another result than the market's. The receipt shows both, for ever.`],
  facts: given([
    ["Position", fact(told, "position")],
    ["Settled result", fact(told, "settled")],
    ["Market's result", fact(told, "market")],
    ["Reason", fact(told, "reason")],
  ]),
  action: { label: "See the receipt", url: told.at(`/positions/${fact(told, "positionId")}/receipt`), note: "There you can object to it." },
});
