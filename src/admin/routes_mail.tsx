import * as v from "valibot";
import { LetterPage, MailPage } from "../../views/mail/MailPage";
import { nextOf } from "../lib/cursor";
import { queryOf } from "../lib/fit";
import { notFound } from "../lib/refusal";
import { id as idShape } from "../lib/shapes";
import { lettersOf, mailCounts } from "../mail/queries";
import { listLetters } from "../mail/schema";
import { readLetter } from "../mail/staff";
import type { AppContext, Me } from "../platform/app_context";

const ROWS = 50;

/** System → Mail: the list, or one letter. Refuses (not_found) a letter that is none. */
export async function mailView(app: AppContext, asked: URLSearchParams, me: Me) {
  const chosen = asked.get("letter");
  if (chosen !== null) {
    if (!v.is(idShape, chosen)) throw notFound();
    return <LetterPage {...await readLetter(app, me, chosen)} />;
  }
  const { status, cursor } = queryOf(listLetters.query, asked);
  const [counts, rows] = await Promise.all([mailCounts(app.sql), lettersOf(app.sql, { status, limit: ROWS, cursor })]);
  const { smtp, mailFrom } = app.config;
  return (
    <MailPage
      server={smtp && `${smtp.host}:${smtp.port}`}
      from={mailFrom && mailFrom.address}
      counts={counts}
      rows={rows}
      query={{ status, ...(cursor ? { cursor } : {}) }}
      next={nextOf(rows, ROWS)}
      address={me.email === "admin@localhost" ? "" : me.email}
    />
  );
}
