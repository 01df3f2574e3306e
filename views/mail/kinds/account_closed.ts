import { fact, type Writer } from "../letter";

export const accountClosed: Writer = (told) => ({
  subject: "Your account is closed",
  words: [
    `Your account at ${told.brand} is closed. Your name, your contacts and your documents were erased.`,
    `What was booked and dealt is kept without your name until ${fact(told, "until")}, since the law asks for it.`,
  ],
});
