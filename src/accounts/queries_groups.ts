import { many, type Sql } from "../platform/database/db";
import { type GroupVersion, groupVersionRow } from "./schema_groups";

/** What worse terms wait for before they hold for what is open, as an SQL interval: 24 hours unless the operator says otherwise. */
export const notice = (sql: Sql) => sql`coalesce((select value::integer from settings where key = 'notice_hours'), 24) * interval '1 hour'`;

/** The groups' terms: those in force, those to come and the last that were. */
export const groupVersions = (sql: Sql): Promise<GroupVersion[]> =>
  many(
    groupVersionRow,
    sql`
      select v.group_id as id, v.version, v.name, v.spreads_from as "spreadPips", v.commission, v.minimum_deposit as "minimumDeposit", v.leverage,
        v.is_active as "isOpen", v.spreads, v.swaps, v.swap_fee as "swapFreeFee", v.countries, case when isfinite(v.effective_at) then v.effective_at end as "effectiveAt",
        case when v.applies_at > v.effective_at then v.applies_at end as "appliesAt",
        u.first_name || ' ' || u.last_name as administrator, v.change_reason as reason, v.version = t.version as "isInForce",
        coalesce(m.members, 0)::integer as members
      from account_types t
      join group_versions v on v.group_id = t.id and v.version > (select max(g.version) - 20 from group_versions g where g.group_id = t.id)
      left join (select group_id as id, sum(count) as members from group_counts group by group_id) m on m.id = t.id
      left join users u on u.id = v.changed_by
      order by t.place, v.version desc
      limit 1000
    `,
  );
