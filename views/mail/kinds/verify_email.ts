import type { Writer } from "../letter";

export const verifyEmail: Writer = ({ brand, firstName, link }) => ({
  subject: "Verify your email address",
  words: [`Welcome to ${brand}, ${firstName}.`, "Please confirm that this address is yours."],
  action: { label: "Verify this address", url: link("verify"), note: "The link is good for three days." },
  after: ["If you did not register, do nothing: without this the address counts for nobody."],
});
