import { fact, type Writer } from "../letter";

export const exportReady: Writer = (told) => ({
  subject: "Your data is ready",
  words: [`${told.firstName}, what ${told.brand} keeps about you is put together in one file. Sign in to download it, until ${fact(told, "until")}.`],
  action: { label: "Open your data", url: told.at("/my-data") },
});
