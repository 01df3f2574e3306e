import { fact, given, type Writer } from "../letter";

const what = (factor: string) => (factor === "passkey" ? "A passkey was removed" : "Two-factor sign-in is off");

export const factorRemoved: Writer = (told) => ({
  subject: what(fact(told, "factor")),
  words: [
    `${told.firstName}, ${
      fact(told, "factor") === "passkey"
        ? "one of your passkeys no longer signs in to your account."
        : fact(told, "by") === "staff"
          ? "an administrator switched two-factor sign-in off for your account. The password alone opens it now."
          : "the password alone opens your account now."
    }`,
  ],
  facts: given([
    ["Passkey", fact(told, "name")],
    ["When", fact(told, "at")],
  ]),
});
