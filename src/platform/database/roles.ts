import * as v from "valibot";
import { type Db, one } from "./db";
import type { SchemaFiles } from "../files";
import type { Log } from "../log";
import { giveRights, migrate, requireCurrent } from "./migrate";

/** The role that the program connects to the embedded server as. The owner, who set the server up, makes it and runs the migrations. */
export const PROGRAM = "halyard_program";

/** The same server and database as another role, which the embedded server lets in without a password. */
export function asRole(url: string, role: string): string {
  const other = new URL(url);
  other.username = role;
  return other.href;
}

/** Makes the program's role where the embedded server lacks it. It sees what each session does, for the panel. */
export async function makeProgramRole(owner: Db): Promise<void> {
  const [found] = await owner`select from pg_roles where rolname = ${PROGRAM}`;
  if (found) return;
  await owner.begin(async (tx) => {
    await tx.unsafe(`create role ${PROGRAM} login nosuperuser nocreatedb nocreaterole nobypassrls`);
    await tx.unsafe(`grant pg_read_all_stats to ${PROGRAM}`);
  });
}

const roleRow = v.strictObject({ name: v.string(), creates: v.boolean() });
const roleOf = (sql: Db) => one(roleRow, sql`select current_user::text as name, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as creates`);

/** Who connects: the owner of the schema, and the program; both may be one. */
export type Connected = { owner: Db; sql: Db };

/**
 * Brings the schema up to this program as its owner, and gives the program's role its rights. Where the program's role is all that is known
 * and may make nothing, the schema has to be there. Returns the names of the migrations applied now. Throws StartError.
 */
export async function bringUp({ owner, sql }: Connected, schema: SchemaFiles): Promise<string[]> {
  const [maker, program] = [await roleOf(owner), await roleOf(sql)];
  if (!maker?.creates) {
    await requireCurrent(owner, schema, MAY_NOT);
    return [];
  }
  const applied = await migrate(owner, schema);
  if (program && program.name !== maker.name) await giveRights(owner, program.name);
  return applied;
}

const MAY_NOT = "The role that connects may not change it: set DATABASE_OWNER_URL, for 'halyard migrate' at least.";

const mightRow = v.strictObject({ owns: v.boolean(), creates: v.boolean() });
/** Says so where the program could do to the books what only the owner of the tables should. */
export async function warnOfMight(sql: Db, log: Log, isLive: boolean): Promise<void> {
  const might = await one(
    mightRow,
    sql`select has_table_privilege('schema_migrations', 'INSERT') as owns, has_schema_privilege(current_schema(), 'CREATE') as creates`,
  );
  if (!might?.owns && !might?.creates) return;
  log[isLive ? "warn" : "info"](might.owns ? ONE_ROLE : MAKES_THINGS);
}

const ONE_ROLE =
  "the program connects to the database as a role that may change anything in it: name another in DATABASE_URL, and in DATABASE_OWNER_URL the one that owns the tables";
const MAKES_THINGS = "the program's role may make tables and functions in its schema: take it from everybody (revoke create on schema public from public)";
