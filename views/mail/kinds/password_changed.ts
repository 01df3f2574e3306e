import { fact, given, type Writer } from "../letter";

export const passwordChanged: Writer = (told) => ({
  subject: "Your password was changed",
  words: [
    `${told.firstName}, your account at ${told.brand} has a new password.${fact(told, "how") === "reset" ? " It was chosen by a link that we sent you." : ""}`,
    "Your other sessions were ended.",
  ],
  facts: given([
    ["When", fact(told, "at")],
    ["Address", fact(told, "ip")],
  ]),
});
