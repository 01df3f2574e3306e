import { one, type Sql } from "../platform/database/db";
import { choiceColumns, choicesOf, keptRow } from "./queries_notices";
import type { ChosenTopic, EmailTopic, NoticeChoices } from "./schema_notices";

type Change = { [topic in ChosenTopic]?: boolean | undefined } & { email?: { [topic in EmailTopic]?: boolean | undefined } | undefined };

/** Changes what the person wants to be told, and what of it by letter; what is left out stays. */
export async function chooseNotices(sql: Sql, userId: string, { trades, margin, money, support, email = {} }: Change): Promise<NoticeChoices> {
  const chosen = await one(
    keptRow,
    sql`
      insert into notice_choices as c (user_id, trades, margin, money, support, email_trades, email_margin, email_money, email_support, email_statements)
      values (
        ${userId}, ${trades ?? true}, ${margin ?? true}, ${money ?? true}, ${support ?? true}, ${email.trades ?? true}, ${email.margin ?? true},
        ${email.money ?? true}, ${email.support ?? true}, ${email.statements ?? true}
      )
      on conflict (user_id) do update
      set trades = coalesce(${trades ?? null}, c.trades), margin = coalesce(${margin ?? null}, c.margin), money = coalesce(${money ?? null}, c.money),
        support = coalesce(${support ?? null}, c.support), email_trades = coalesce(${email.trades ?? null}, c.email_trades),
        email_margin = coalesce(${email.margin ?? null}, c.email_margin), email_money = coalesce(${email.money ?? null}, c.email_money),
        email_support = coalesce(${email.support ?? null}, c.email_support), email_statements = coalesce(${email.statements ?? null}, c.email_statements),
        updated_at = now()
      returning ${choiceColumns(sql)}
    `,
  );
  if (!chosen) throw new Error("the choice was not kept");
  return choicesOf(chosen);
}
