import type { Writer } from "../letter";

export const accountFrozen: Writer = (told) => ({
  subject: "Your account is frozen",
  words: [
    `${told.firstName}, you told us that something in your account was not you. All sessions were ended. Withdrawals, changes of address and sign-ins from new devices are blocked, and our staff were told.`,
    "Choose a new password to open it again.",
  ],
  action: {
    label: "Choose a new password",
    url: told.link("reset"),
    note: "The link is good for 30 minutes. Later, ask for another with 'Forgot password' on the sign-in page.",
  },
});
