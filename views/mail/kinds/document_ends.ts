import { fact, type Writer } from "../letter";
import { documentText } from "./document_decided";

export const documentEnds: Writer = (told) => {
  const name = documentText(told);
  const has = told.facts.ended === true ? "has ended" : "ends soon";
  return {
    subject: `Your ${name} ${has}`,
    words: [`${told.firstName}, the ${name} that you sent us ${has === "has ended" ? "ended" : "ends"} on ${fact(told, "on")}. Please send the new one.`],
    action: { label: "Send the new one", url: told.at("/verification") },
  };
};
