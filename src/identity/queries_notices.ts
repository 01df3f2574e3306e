import * as v from "valibot";
import { one, type Fragment, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import { type EmailTopic, type NoticeChoices, noticeChoices, type NoticeTopic } from "./schema_notices";

/** The columns of a person's choices, as `keptChoices` reads them. */
export const choiceColumns = (sql: Sql): Fragment => sql`
  trades, margin, money, support, email_trades as "emailTrades", email_margin as "emailMargin", email_money as "emailMoney",
  email_support as "emailSupport", email_statements as "emailStatements"
`;
export const keptRow = v.strictObject({
  ...v.omit(noticeChoices, ["email"]).entries,
  emailTrades: v.boolean(),
  emailMargin: v.boolean(),
  emailMoney: v.boolean(),
  emailSupport: v.boolean(),
  emailStatements: v.boolean(),
});
/** The choices as they are told. */
export const choicesOf = ({ emailTrades, emailMargin, emailMoney, emailSupport, emailStatements, ...pages }: v.InferOutput<typeof keptRow>): NoticeChoices => ({
  ...pages,
  email: { trades: emailTrades, margin: emailMargin, money: emailMoney, support: emailSupport, statements: emailStatements },
});

const ALL: NoticeChoices = {
  ...{ trades: true, margin: true, money: true, support: true },
  email: { trades: true, margin: true, money: true, support: true, statements: true } satisfies Record<EmailTopic, boolean>,
};

/** What the person wants to be told, and by which way; all of it until something else was chosen. */
export const noticeChoicesOf = (sql: Sql, userId: string): Reading<NoticeChoices> =>
  one(keptRow, sql`select ${choiceColumns(sql)} from notice_choices where user_id = ${userId}`).map((kept) => (kept ? choicesOf(kept) : ALL));

/** Whether a notice of this topic is for the person to see; those of security always are. */
export const wantsNotice = async (sql: Sql, userId: string, topic: NoticeTopic): Promise<boolean> =>
  topic === "security" || (await noticeChoicesOf(sql, userId))[topic];
