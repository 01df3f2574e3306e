import { many, type Sql } from "../platform/database/db";
import { type HouseClaim, houseClaimRow, type ShownClaim, shownClaimRow } from "./schema_claims";

const columns = (sql: Sql) => sql`
  c.id, c.version, c.kind, c.text, c.evidence, c.link, c.starts_at as "startsAt", c.ends_at as "endsAt",
  u.first_name || ' ' || u.last_name as administrator, c.reason, c.created_at as "createdAt"`;

/** Each claim as it is said now, with those that no page shows. */
export const houseClaims = (sql: Sql): Promise<HouseClaim[]> =>
  many(
    houseClaimRow,
    sql`select ${columns(sql)} from house_claims_now() c left join users u on u.id = c.created_by order by c.created_at desc, c.id limit 100`,
  );

export const claimVersions = (sql: Sql, id: string): Promise<HouseClaim[]> =>
  many(
    houseClaimRow,
    sql`select ${columns(sql)} from house_claims c left join users u on u.id = c.created_by where c.id = ${id} order by c.version desc limit 100`,
  );

/** What public pages say now: claims with evidence, in their time. */
export const shownClaims = (sql: Sql): Promise<ShownClaim[]> =>
  many(
    shownClaimRow,
    sql`
      select kind, text, evidence, link
      from house_claims_now()
      where evidence <> '' and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())
      order by kind, text
      limit 20
    `,
  );
