import type { Writer } from "../letter";

export const confirmEmail: Writer = ({ brand, firstName, link }) => ({
  subject: "Confirm your new email address",
  words: [`${firstName}, you asked to sign in to ${brand} with this address from now on.`, "It counts once you confirm it."],
  action: { label: "Use this address", url: link("verify"), note: "The link is good for three days." },
  after: ["If you did not ask for this, do nothing."],
});
