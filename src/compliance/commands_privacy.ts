import { refuseSelf } from "../identity/commands";
import { lockStaff } from "../identity/commands_standing";
import { isProven } from "../identity/queries";
import { found, Refusal } from "../lib/refusal";
import { zipOf } from "../lib/zip";
import type { Act, AppContext, Me } from "../platform/app_context";
import { type Db, many, one, type Sql, type Tx } from "../platform/database/db";
import { inParts } from "../platform/database/in_parts";
import * as v from "valibot";
import { isEmpty, keptOf } from "./queries";
import { type DataExport, exportRow } from "./schema_privacy";
import type { Vault } from "./vault";

/** What is kept about a person: put together in the background, kept encrypted for a week, erased when the person leaves. */

const columns = (sql: Sql) => sql`id, status, size, created_at as "createdAt", expires_at as "expiresAt"`;

/** A person's exports that are still there, the newest first. */
export const exportsOf = (sql: Sql, userId: string): Promise<DataExport[]> =>
  many(exportRow, sql`select ${columns(sql)} from data_exports where user_id = ${userId} and expires_at > now() order by created_at desc, id desc limit 20`);

export async function askExport({ sql }: AppContext, me: Me): Promise<DataExport> {
  const [asked] = await sql<{ id: string }[]>`select export_ask(${me.id}) as id`;
  return found(await one(exportRow, sql`select ${columns(sql)} from data_exports where id = ${asked?.id ?? null}`));
}

const contentRow = v.strictObject({ keyId: v.string(), content: v.instance(Uint8Array) });
/** The file of an export, for its owner; for anybody else, and once it is over, there is none (not_found). */
export async function exportFile({ sql }: AppContext, vault: Vault, me: Me, id: string): Promise<Buffer> {
  const kept = await one(
    contentRow,
    sql`select key_id as "keyId", content from data_exports where id = ${id} and user_id = ${me.id} and status = 'ready' and expires_at > now()`,
  );
  return vault.open(id, found(kept));
}

/** Puts together what was asked for, one after the other; answers how many. What can't be put together is said, and its owner may ask again. */
export async function makeExports(app: AppContext, vault: Vault): Promise<number> {
  const { sql, log } = app;
  let made = 0;
  for (;;) {
    const [taken] = await sql<{ id: string; person: string }[]>`select id, user_id as person from export_take()`;
    if (!taken) return made;
    const { id, person } = taken;
    try {
      const file = zipOf(await partsOf(sql, vault, person));
      const { cipher, keyId } = await vault.lock(id, file, () => isEmpty(sql));
      await inParts(sql, cipher, (tx, oid) => tx`select export_done(${id}, ${keyId}, lo_get(${oid}), ${file.length})`);
      made++;
    } catch (error) {
      log.error("a person's data could not be put together", { export: id, error });
      await sql`select export_done(${id}, null, null, null)`;
    }
  }
}

const ENDINGS: Record<string, string> = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf" };
const fileRow = v.strictObject({ name: v.string(), mediaType: v.string(), content: v.instance(Uint8Array) });

/** The parts of an export: the data as JSON, the documents, and what was sent along with deposits and tickets. */
async function partsOf(sql: Db, vault: Vault, person: string) {
  const [row] = await sql<{ data: unknown }[]>`select person_export(${person}) as data`;
  const parts = [{ name: "data.json", bytes: Buffer.from(`${JSON.stringify(row?.data, null, 2)}\n`) as Uint8Array }];
  const documents = await sql<{ id: string; kind: string }[]>`
    select id, kind || coalesce('-' || side, '') as kind from documents where user_id = ${person} and content is not null order by created_at limit 1000
  `;
  for (const { id, kind } of documents) {
    const kept = await keptOf(sql, id);
    if (kept) parts.push({ name: `documents/${kind}-${id}.${ENDINGS[kept.mediaType]}`, bytes: vault.open(id, kept) });
  }
  const files = await many(
    fileRow,
    sql`
      select 'deposits/' || p.deposit_id as name, p.media_type as "mediaType", p.content
      from deposit_proofs p join deposits d on d.id = p.deposit_id where d.user_id = ${person}
      union all
      select 'tickets/' || f.id, f.media_type, f.content from ticket_files f join support_tickets t on t.id = f.ticket_id where t.user_id = ${person}
      limit 2000
    `,
  );
  for (const { name, mediaType, content } of files) parts.push({ name: `${name}.${ENDINGS[mediaType]}`, bytes: content });
  return parts;
}

/** Of so many people at once is deleted what was kept of them. */
const MOST_ENDED = 20;

/** Deletes what is kept of accounts that were closed as long ago as the law asks for; answers of how many people. */
export async function endRecords(sql: Sql): Promise<number> {
  let ended = 0;
  for (;;) {
    const [row] = await sql<{ count: number }[]>`select records_end(${MOST_ENDED}) as count`;
    ended += row?.count ?? 0;
    if ((row?.count ?? 0) < MOST_ENDED) return ended;
  }
}

/** Closes the caller's own account for good. Refuses (password_required) without a fresh proof, and (money_left) while there is something to see to. */
export async function closeSelf(app: AppContext, me: Me): Promise<{ keptUntil: string }> {
  const { sql, bus, config, log } = app;
  if (!(await isProven(sql, me))) throw new Refusal("password_required", "Please confirm your password, and send this again.");
  const [row] = await sql<{ until: string }[]>`select account_leave(${me.id}, ${config.recordsKeptYears})::text as until`;
  bus.publish("sessions", { userId: me.id, sessionId: null });
  bus.publish("staff", { about: "person" });
  log.info("an account was closed by its owner", { person: me.id });
  return { keptUntil: row?.until ?? "" };
}

/** Refuses (not_found, conflict, money_left) what `erasePerson` would. */
export const refuseErasing = (sql: Sql, person: string) => sql`select refuse_leaving(${person}, true)`;

/** Closes a client's account and erases who it was, in the caller's transaction. */
export async function erasePerson(tx: Tx, act: Act, person: string, reason: string, years: number): Promise<{ keptUntil: string; person: string }> {
  refuseSelf(act.admin, person);
  await lockStaff(tx, act, person);
  const [row] = await tx<
    { until: string }[]
  >`select account_leave(${person}, ${years}, ${act.admin.id}, ${reason}, ${act.ip}, ${act.userAgent})::text as until`;
  return { keptUntil: row?.until ?? "", person };
}

/** Ends what the client's open pages show, after the commit that erased it. */
export function toldErased({ bus }: Pick<AppContext, "bus">, person: string) {
  bus.publish("sessions", { userId: person, sessionId: null });
  bus.publish("staff", { about: "person" });
}
