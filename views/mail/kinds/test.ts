import type { Writer } from "../letter";

export const test: Writer = ({ brand }) => ({
  subject: `A test letter from ${brand}`,
  words: ["An administrator sent this to try the mail server. If you can read it, letters arrive."],
});
