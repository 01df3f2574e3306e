import type { Fragment, Sql } from "../platform/database/db";

/** Whether a word of a search, a pattern in lower case, is of the person `u` or in what was said in the chat `s`. */
export const chatSays = (sql: Sql, word: Fragment): Fragment => sql`
  (u.search like ${word} or exists (select from chat_messages m where m.user_id = s.user_id and m.session_id = s.id and lower(m.message) like ${word}))
`;

/** The same of the ticket `t`, with its subject. */
export const ticketSays = (sql: Sql, word: Fragment): Fragment => sql`
  (
    u.search like ${word} or lower(t.subject) like ${word} or lower(t.message) like ${word}
    or exists (select from ticket_messages m where m.ticket_id = t.id and lower(m.message) like ${word})
  )
`;
