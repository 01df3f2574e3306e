import { one, type Sql } from "../platform/database/db";
import { type NoticeChoices, noticeChoices } from "./schema_notices";

type Change = { [topic in keyof NoticeChoices]?: boolean | undefined };

/** Changes what the person wants to be told; what is left out stays. */
export async function chooseNotices(sql: Sql, userId: string, { trades, margin, money, support }: Change): Promise<NoticeChoices> {
  const chosen = await one(
    noticeChoices,
    sql`
      insert into notice_choices as c (user_id, trades, margin, money, support)
      values (${userId}, ${trades ?? true}, ${margin ?? true}, ${money ?? true}, ${support ?? true})
      on conflict (user_id) do update
      set trades = coalesce(${trades ?? null}, c.trades), margin = coalesce(${margin ?? null}, c.margin), money = coalesce(${money ?? null}, c.money),
        support = coalesce(${support ?? null}, c.support), updated_at = now()
      returning trades, margin, money, support
    `,
  );
  if (!chosen) throw new Error("the choice was not kept");
  return chosen;
}
