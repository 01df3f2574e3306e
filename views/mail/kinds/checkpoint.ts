import { fact, given, type Writer } from "../letter";

export const checkpoint: Writer = (told) => ({
  subject: "The public log's checkpoint of today",
  words: [
    `Keep this letter: with it you can show that ${told.brand} changed nothing in its public log that stood there by now. Nothing else is needed for that.`,
    ...fact(told, "note").split("\n").filter(Boolean),
  ],
  facts: given([
    ["Log", fact(told, "origin")],
    ["Records", fact(told, "size")],
    ["Root", fact(told, "root")],
    ["Key", fact(told, "key")],
  ]),
  action: { label: "What the log shows", url: told.at("/integrity") },
});
