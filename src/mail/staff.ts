import { cursorOf } from "../lib/cursor";
import { type Entitled, mayDo } from "../lib/permissions";
import { found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import { Routes, paged } from "../platform/http/routes";
import { keyOfLog } from "../proof/queries";
import { baseOf, MASKED, trySending, write } from "./compose";
import { makeLinks } from "./commands";
import { letterOf, lettersOf, wordsOf } from "./queries";
import { isKind, linksOf } from "./rules";
import * as calls from "./schema";

/** The staff's routes to the letters. */
export const mailStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("letters.read", calls.listLetters, async ({ query, context }) => paged(context.headers, await lettersOf(app.sql, query), query.limit, cursorOf))
    .admin("letters.read", calls.readLetter, ({ me, params }) => readLetter(app, me, params.id))
    .decision("letters.send", calls.sendTest, async ({ act, body }) => {
      app.log.info("a test letter was asked for", { adminId: act.admin.id });
      return trySending(app, body.address);
    });

/**
 * A letter in words. Where a demonstration has no mail server its links work, so that whoever tries the program can follow them; anywhere else
 * nobody of the staff gets at what opens a client's account; and there only who may let people in again.
 */
export async function readLetter({ sql, config, brand }: AppContext, who: Entitled, id: string) {
  const { facts, firstName, ...letter } = found(await letterOf(sql, id));
  if (!isKind(letter.kind)) return { letter, subject: letter.kind, text: "", masked: false };
  const open = config.siteMode === "demo" && !config.smtp && mayDo(who, "people.secure");
  const links = open ? await makeLinks(sql, letter, linksOf(letter.kind), baseOf(config)) : {};
  const { subject, text } = write(
    config,
    brand,
    { kind: letter.kind, facts, firstName },
    links,
    await keyOfLog(sql),
    await wordsOf(sql, { id, kind: letter.kind, facts }),
  );
  return { letter, subject, text, masked: text.includes(MASKED) };
}
