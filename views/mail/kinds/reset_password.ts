import { fact, type Writer } from "../letter";

export const resetPassword: Writer = (told) => ({
  subject: "Choose a new password",
  words: [`Somebody${fact(told, "ip") ? ` at ${fact(told, "ip")}` : ""} asked for a new password for your account at ${told.brand}.`],
  action: { label: "Choose a new password", url: told.link("reset"), note: "The link is good for 30 minutes, once." },
  after: ["All sessions end with it; your second factor stays as it is. If you did not ask, do nothing: your password has not changed."],
});
