import { fact, type Writer } from "../letter";

export const emailChanged: Writer = (told) => ({
  subject: "Your email address was changed",
  words: [`${told.firstName}, your account at ${told.brand} has another address now: letters go there, and one signs in with it.`],
  facts: [["New address", fact(told, "address")]],
  action: { label: "Take it back", url: told.link("take_back"), note: "For seven days. This address is yours again then, and all sessions end." },
});
