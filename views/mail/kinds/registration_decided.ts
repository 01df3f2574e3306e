import { fact, given, type Writer } from "../letter";

export const registrationDecided: Writer = (told) =>
  fact(told, "status") === "approved"
    ? {
        subject: "Your registration was approved",
        words: [`${told.firstName}, you can trade live now, move money into a live account and withdraw.`],
        action: { label: "Open your dashboard", url: told.at("/dashboard") },
      }
    : {
        subject: "Your registration was not approved",
        words: [`${told.firstName}, we could not approve your registration at ${told.brand}.`],
        facts: given([["Reason", fact(told, "reason")]]),
        action: { label: "Write to us", url: told.at("/contact") },
      };
