import * as v from "valibot";
import { builtInRoles, permissionsOf } from "../lib/permissions";
import { items, type Sql } from "../platform/database/db";
import { type StaffRole, staffRoleRow } from "./schema_staff";

const storedRow = v.strictObject({ ...staffRoleRow.entries, permissions: v.nullable(v.array(v.string())), builtIn: v.optional(v.boolean()) });

const place = (id: string) => (builtInRoles as readonly string[]).indexOf(id);
const isBuiltIn = (id: string) => place(id) >= 0;

/** Of a row `r` of the roles: what a change of it may overwrite. */
export const roleVersion = (sql: Sql) => sql`version_of(jsonb_build_object('name', r.name, 'permissions', r.permissions))`;

/** Every role of staff with who has it: the built-in ones first, then the house's own by name. */
export async function staffRoles(sql: Sql): Promise<StaffRole[]> {
  const rows = await items(
    storedRow,
    sql`
      select jsonb_build_object(
        'id', r.id, 'name', r.name, 'permissions', r.permissions, 'createdAt', iso(r.created_at), 'updatedAt', iso(r.updated_at),
        'version', ${roleVersion(sql)},
        'holders', (
          select coalesce(jsonb_agg(h.item), '[]') from (
            select jsonb_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email, 'accountStatus', u.account_status) as item
            from users u where u.staff_role = r.id order by lower(u.first_name || ' ' || u.last_name), u.id limit 100
          ) h
        )
      ) as item
      from staff_roles r
      order by lower(r.name)
      limit 200
    `,
  );
  const roles = rows.map((row) => ({ ...row, permissions: [...permissionsOf(row.id, row.permissions)], builtIn: isBuiltIn(row.id) }));
  return [...roles.filter(({ builtIn }) => builtIn).sort((a, b) => place(a.id) - place(b.id)), ...roles.filter(({ builtIn }) => !builtIn)];
}

/** The names of the roles of staff by their ids. */
export async function roleNames(sql: Sql): Promise<Record<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`select id, name from staff_roles`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
