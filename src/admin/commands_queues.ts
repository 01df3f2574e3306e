import { conflict, found, invalidField } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import { snoozeOf } from "./queries_queues";
import type { QueueKind, SavedFilter, Snooze } from "./schema_queues";

/** What an administrator keeps for the queues: neither forbids anybody anything, so neither is audited. */

const LONGEST = "31 days";
const MOST_FILTERS = 50;

/** Puts a request away for the actor, and forgets what came back meanwhile. Refuses (invalid) a moment that has passed, or is too far away. */
export async function snooze({ sql, bus }: AppContext, act: Act, kind: QueueKind, objectId: string, until: string): Promise<Snooze> {
  await sql`delete from snoozes where until <= now()`;
  const made = await sql`
    insert into snoozes (kind, object_id, admin_id, until)
    select ${kind}, ${objectId}, ${act.admin.id}, ${until}::timestamptz
    where ${until}::timestamptz > now() and ${until}::timestamptz <= now() + ${LONGEST}::interval
    on conflict (kind, object_id, admin_id) do update set until = excluded.until
    returning kind
  `;
  if (made.length === 0) throw invalidField("until", "Choose a time within the next 31 days.");
  bus.publish("staff", { about: "snooze" });
  return found(await snoozeOf(sql, act.admin.id, objectId));
}

/** Brings the actor's request back before its time. */
export async function unsnooze({ sql, bus }: AppContext, act: Act, objectId: string): Promise<void> {
  const gone = await sql`delete from snoozes where object_id = ${objectId} and admin_id = ${act.admin.id} returning kind`;
  if (gone.length > 0) bus.publish("staff", { about: "snooze" });
}

/** Keeps a filter for the actor under a name, in the place of the one that had it. Refuses (conflict) more than fifty. */
export async function saveFilter({ sql, bus }: AppContext, act: Act, filter: Omit<SavedFilter, "id">): Promise<SavedFilter> {
  const { queue, name, query } = filter;
  const saved = await sql.begin(async (tx) => {
    // One filter of a person's at a time, so that the bound holds.
    await tx`select pg_advisory_xact_lock(hashtextextended(${act.admin.id}, 6))`;
    const [counted] = await tx<{ others: number }[]>`
      select count(*)::integer as others from saved_filters
      where admin_id = ${act.admin.id} and not (queue = ${queue} and lower(name) = lower(${name}))
    `;
    if ((counted?.others ?? 0) >= MOST_FILTERS) throw conflict(`You have ${MOST_FILTERS} saved filters. Delete one first.`);
    const [row] = await tx<SavedFilter[]>`
      insert into saved_filters (admin_id, queue, name, query) values (${act.admin.id}, ${queue}, ${name}, ${query})
      on conflict (admin_id, queue, lower(name)) do update set name = excluded.name, query = excluded.query
      returning id, queue, name, query
    `;
    return found(row ?? null);
  });
  bus.publish("staff", { about: "setting" });
  return saved;
}

export async function deleteFilter({ sql, bus }: AppContext, act: Act, id: string): Promise<void> {
  await sql`delete from saved_filters where id = ${id} and admin_id = ${act.admin.id}`;
  bus.publish("staff", { about: "setting" });
}
