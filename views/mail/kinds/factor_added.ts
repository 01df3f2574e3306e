import { fact, given, type Writer } from "../letter";

export const factorAdded: Writer = (told) => ({
  subject: fact(told, "factor") === "passkey" ? "A passkey was added" : "Two-factor sign-in is on",
  words: [
    fact(told, "factor") === "passkey"
      ? `${told.firstName}, your account can be signed in to with another passkey now.`
      : `${told.firstName}, from now on signing in to your account takes a code from your authenticator app.`,
  ],
  facts: given([
    ["Passkey", fact(told, "name")],
    ["When", fact(told, "at")],
  ]),
});
