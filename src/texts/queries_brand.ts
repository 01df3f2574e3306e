import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import { brandRow, type BrandVersion, type PictureKind } from "./schema_brand";

const address = (kind: PictureKind) => `/brand/${kind}-`;
const columns = (sql: Sql) => sql`
  b.version, b.name, b.sender, b.accent_light as "accentLight", b.accent_dark as "accentDark",
  case when b.logo is not null then ${address("logo")}::text || b.version || '.webp' end as logo,
  case when b.icon is not null then ${address("icon")}::text || b.version || '.png' end as icon,
  u.first_name || ' ' || u.last_name as administrator, b.reason, b.created_at as "createdAt"`;

/** The newest first. */
export const brandVersions = (sql: Sql, limit = 100): Promise<BrandVersion[]> =>
  many(brandRow, sql`select ${columns(sql)} from brand_versions b left join users u on u.id = b.created_by order by b.version desc limit ${limit}`);

/** A version's picture; null where it has none. */
export async function pictureOf(sql: Sql, kind: PictureKind, version: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await one(
    v.strictObject({ picture: v.nullable(v.instance(Uint8Array)) }),
    sql`select case ${kind}::text when 'logo' then logo else icon end as picture from brand_versions where version = ${version}`,
  );
  return row?.picture ? new Uint8Array(row.picture) : null;
}
