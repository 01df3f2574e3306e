import { many, type Sql } from "../platform/database/db";
import { type PromotionVersion, promotionVersionRow, type StaffPromotion, staffPromotionRow } from "./schema_promotions";

/** Every promotion as it stands, offered or not. */
export const staffPromotions = (sql: Sql): Promise<StaffPromotion[]> =>
  many(
    staffPromotionRow,
    sql`
      select id, title, amount, minimum_deposit as "minimumDeposit", turnover, is_active as "isActive", starts_at as "startsAt", ends_at as "endsAt", countries, version
      from promotions
      order by minimum_deposit desc, amount desc, id
      limit 10
    `,
  );

/** How it was offered, the newest first. */
export const promotionVersions = (sql: Sql, id: string): Promise<PromotionVersion[]> =>
  many(
    promotionVersionRow,
    sql`
      select v.title, v.amount, v.minimum_deposit as "minimumDeposit", v.turnover, v.is_active as "isActive", v.starts_at as "startsAt", v.ends_at as "endsAt",
        v.countries, v.version, case when isfinite(v.since) then v.since end as since, u.first_name || ' ' || u.last_name as administrator,
        v.change_reason as reason
      from promotion_versions v
      left join users u on u.id = v.changed_by
      where v.promotion_id = ${id}
      order by v.version desc
      limit 100
    `,
  );
