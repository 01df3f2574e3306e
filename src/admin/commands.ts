import type { InferOutput } from "valibot";
import type { BodyOf } from "../lib/endpoint";
import { found, notFound } from "../lib/refusal";
import type { Sql } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import type { Idempotency, Reply } from "../platform/http/routes";
import { once, onceIn } from "../platform/http/idempotency";
import { inboxOf } from "../support/queries_all";
import type { InboxRow } from "../support/schema_inbox";
import { claimedByOthers, claimsOn, noteById, noticeHours, readSettings } from "./queries_panel";
import type { takeNext as takeNextCall } from "./schema_queues";
import { type Claim, CLAIM_IDLE_SECONDS, type ClaimKind, type noticeBody, type NoticeHours, type Settings, type StaffNote } from "./schema";

/** What administrators share: claims, notes on people, the panel's settings. */

/** Long enough to outlast a slow network between two renewals, short enough that a closed laptop is soon forgotten. */
const CLAIM_LASTS = "45 seconds";

/** Of several pages of one administrator the one that was touched last counts. */
const claiming = (sql: Sql, act: Act, kind: ClaimKind, objectId: string, idle = 0) => sql<{ fresh: boolean }[]>`
  insert into claims as c (kind, object_id, admin_id, touched_at, expires_at)
  select ${kind}, ${objectId}, ${act.admin.id}, t.at, least(clock_timestamp() + ${CLAIM_LASTS}::interval, t.at + ${CLAIM_IDLE_SECONDS} * interval '1 second')
  from (select clock_timestamp() - ${idle} * interval '1 second' as at) t
  on conflict (kind, object_id, admin_id) do update
  set touched_at = greatest(c.touched_at, excluded.touched_at),
    expires_at = least(
      clock_timestamp() + ${CLAIM_LASTS}::interval, greatest(c.touched_at, excluded.touched_at) + ${CLAIM_IDLE_SECONDS} * interval '1 second'
    )
  returning xmax = 0 as fresh
`;

/** Claims a request for the actor, who touched it `idle` seconds ago, deletes expired claims, and answers all claims on it. */
export async function claim({ sql, bus }: AppContext, act: Act, kind: ClaimKind, objectId: string, idle: number): Promise<Claim[]> {
  await sql`delete from claims where expires_at < now()`;
  const [made] = await claiming(sql, act, kind, objectId, idle);
  if (made?.fresh) bus.publish("staff", { about: "claim" });
  return claimsOn(sql, objectId);
}

/** Claims for the actor what of the inbox waits and no other administrator is at: what comes after the cursor, else the first. Null where there is none. */
export async function takeNext({ sql, bus }: AppContext, act: Act, { cursor, ...search }: BodyOf<typeof takeNextCall>): Promise<{ next: InboxRow | null }> {
  const next = await sql.begin(async (tx) => {
    // One after another, so that who asks second sees what the first was given.
    await tx`select pg_advisory_xact_lock(hashtext('inbox_next'))`;
    const apart = await claimedByOthers(tx, act.admin.id);
    const first = async (from?: string) => (await inboxOf(tx, act.admin.id, { ...search, state: "waiting", limit: 1, cursor: from }, apart))[0] ?? null;
    const row = (cursor && (await first(cursor))) || (await first());
    if (row) await claiming(tx, act, row.kind, row.id);
    return row;
  });
  if (next) bus.publish("staff", { about: "claim" });
  return { next };
}

/** Gives the actor's claim up. */
export async function release({ sql, bus }: AppContext, act: Act, objectId: string): Promise<void> {
  const gone = await sql`delete from claims where object_id = ${objectId} and admin_id = ${act.admin.id} returning kind`;
  if (gone.length > 0) bus.publish("staff", { about: "claim" });
}

const audit = (sql: Sql, act: Act, target: string | null, action: string, facts: { details?: object; before?: object; after?: object; reason?: string }) => sql`
  select audit_append(
    ${act.admin.id}, ${target}, ${action}, ${JSON.stringify(facts.details ?? {})}::text::json, ${JSON.stringify(facts.before ?? {})}::text::json,
    ${JSON.stringify(facts.after ?? {})}::text::json, ${facts.reason ?? ""}, ${act.ip}, ${act.userAgent}
  )
`;

/** Changes what the panel is set to, for every administrator. */
export async function changeSettings({ sql, bus }: AppContext, act: Act, to: Settings): Promise<Settings> {
  await sql.begin(async (tx) => {
    await tx`select from settings where key = 'confirm_above' for update`;
    await tx`select refuse_own(${act.admin.id}, null)`;
    const before = await readSettings(tx);
    await tx`
      insert into settings (key, value, updated_by) values ('confirm_above', ${to.confirmAbove}, ${act.admin.id})
      on conflict (key) do update set value = excluded.value, updated_by = excluded.updated_by, updated_at = now()
    `;
    await audit(tx, act, null, "setting.change", { before, after: to });
  });
  bus.publish("staff", { about: "setting" });
  return readSettings(sql);
}

/** Sets how long a group's worse terms wait where somebody holds a position. */
export async function changeNoticeHours({ sql, bus }: AppContext, act: Act, { hours, reason }: InferOutput<typeof noticeBody>): Promise<NoticeHours> {
  await sql.begin(async (tx) => {
    await tx`select from settings where key = 'notice_hours' for update`;
    await tx`select refuse_own(${act.admin.id}, null)`;
    const before = await noticeHours(tx);
    await tx`
      insert into settings (key, value, updated_by) values ('notice_hours', ${String(hours)}, ${act.admin.id})
      on conflict (key) do update set value = excluded.value, updated_by = excluded.updated_by, updated_at = now()
    `;
    await audit(tx, act, null, "notice.change", { before, after: { hours }, reason });
  });
  bus.publish("staff", { about: "setting" });
  return noticeHours(sql);
}

/** Writes a note on a person, under the caller's Idempotency-Key. Refuses (not_found) nobody. */
export async function writeNote({ sql, bus }: AppContext, act: Act, userId: string, body: string, key: Idempotency | null): Promise<Reply<StaffNote>> {
  const { reply, done } = await once(sql, act.admin, key, () =>
    sql.begin((tx) =>
      onceIn(tx, act.admin.id, key, 201, async () => {
        const people = await tx`select from users where id in (${userId}, ${act.admin.id}) order by id for share`;
        if (people.length < (userId === act.admin.id ? 1 : 2)) throw notFound();
        await tx`select refuse_own(${act.admin.id}, null)`;
        const [note] = await tx<{ id: string }[]>`insert into staff_notes (user_id, admin_id, body) values (${userId}, ${act.admin.id}, ${body}) returning id`;
        const id = note?.id ?? "";
        await audit(tx, act, userId, "user.note", { details: { noteId: id, note: body } });
        return found(await noteById(tx, id));
      }),
    ),
  );
  if (!done.repeated) bus.publish("staff", { about: "person" });
  return reply;
}
