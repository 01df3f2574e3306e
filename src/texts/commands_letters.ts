import type { InferOutput } from "valibot";
import { notFound, Refusal } from "../lib/refusal";
import { type LetterId, letterIds, type LetterWords, ownWords, wordsFault } from "../mail/letter_words";
import type { Act, AppContext } from "../platform/app_context";
import type { letterBody } from "./schema_letters";

/** The letter of that name. Refuses (not_found) one that there is not. */
export function letterNamed(name: string): LetterId {
  const id = letterIds.find((each) => each === name);
  if (!id) throw notFound();
  return id;
}

/** Refuses (invalid, by field) words with an unknown placeholder, or without one that the letter needs. */
export function refuseUnfit(id: LetterId, words: LetterWords): void {
  const fields = wordsFault(id, words);
  if (fields) throw new Refusal("invalid", Object.values(fields)[0] ?? "", fields);
}

/** Other words of a letter, for those that are left from now on; the house's own are the way back. Refuses (conflict) whose version is not the newest. */
export async function writeLetter(app: AppContext, act: Act, id: LetterId, { subject, body, version, reason }: InferOutput<typeof letterBody>) {
  refuseUnfit(id, { subject, body });
  const isOwn = Bun.deepEquals({ subject, body }, ownWords(id));
  const [made] = await app.sql<{ version: number }[]>`
    select letter_text_put(
      ${act.admin.id}, ${id}, ${version}, ${isOwn ? null : subject}, ${isOwn ? null : body}, true, ${reason}, ${act.ip}, ${act.userAgent}
    ) as version
  `;
  app.bus.publish("staff", { about: "setting" });
  return { version: made?.version ?? version };
}
