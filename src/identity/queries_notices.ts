import { one, type Sql } from "../platform/database/db";
import { type NoticeChoices, noticeChoices, type NoticeTopic } from "./schema_notices";

const ALL: NoticeChoices = { trades: true, margin: true, money: true, support: true };

/** What the person wants to be told; all of it until something else was chosen. */
export const noticeChoicesOf = async (sql: Sql, userId: string): Promise<NoticeChoices> =>
  (await one(noticeChoices, sql`select trades, margin, money, support from notice_choices where user_id = ${userId}`)) ?? ALL;

/** Whether a notice of this topic is for the person to see; those of security always are. */
export const wantsNotice = async (sql: Sql, userId: string, topic: NoticeTopic): Promise<boolean> =>
  topic === "security" || (await noticeChoicesOf(sql, userId))[topic];
