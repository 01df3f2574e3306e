import { randomUUID } from "node:crypto";
import type { InferOutput } from "valibot";
import type { Outcome } from "../lib/outcome";
import { found, invalidField, notFound, Refusal } from "../lib/refusal";
import type { Act, AppContext, Me } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { inParts } from "../platform/database/in_parts";
import type { MediaType } from "../platform/http/media";
import { onceIn } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/request_context";
import { together } from "../platform/http/together";
import { inspector } from "../platform/http/upload";
import { documentsOf, isEmpty, keptOf, staffDocumentOf } from "./queries";
import { type Document, DOCUMENT_LIMIT, type documentForm, type ReasonCode, type StaffDocument } from "./schema";
import type { Vault } from "./vault";

/** Keeps people's documents, hands them out, and carries out what staff decide about them. */

/** Of one person: documents that wait, and bytes of all. */
const MOST_WAITING = 20;
const QUOTA = 60 * 1024 * 1024;

/** The type of a document, by its content. Refuses (unsupported_media_type, too_large) what is none, whatever it is called. */
async function documentType(file: Uint8Array): Promise<MediaType> {
  if (file.length === 0) throw invalidField("file", "Choose a file.");
  if (file.length > DOCUMENT_LIMIT) {
    const message = "The file may have at most 10 MB.";
    throw new Refusal("too_large", message, { file: message });
  }
  try {
    return await inspector.typeOf(file);
  } catch (error) {
    if (error instanceof Refusal && error.code === "invalid") throw new Refusal("unsupported_media_type", error.message, error.fields);
    throw error;
  }
}

type Sent = InferOutput<typeof documentForm> & { file: Uint8Array };

/** Keeps a document, encrypted, for staff to look at. */
export async function keepDocument({ sql, bus }: AppContext, vault: Vault, me: Me, { kind, side, file }: Sent): Promise<Document> {
  if (side !== null && kind !== "identity") throw invalidField("side", "Only identity documents have two sides.");
  const type = await documentType(file);
  const id = randomUUID();
  const { cipher, keyId } = await vault.lock(id, file, () => isEmpty(sql));
  await inParts(
    sql,
    cipher,
    (tx, oid) => tx`select document_keep(${me.id}, ${id}, ${kind}, ${side}, ${type}, ${file.length}, ${keyId}, lo_get(${oid}), ${MOST_WAITING}, ${QUOTA})`,
  );
  bus.publish("raised", {});
  bus.publish("staff", { about: "person" });
  const [kept = null] = await documentsOf(sql, me.id, id);
  return found(kept);
}

/** A document's content, for its owner; for anybody else it is none (not_found). */
export async function ownDocument({ sql }: AppContext, vault: Vault, me: Me, id: string) {
  const kept = found(await keptOf(sql, id));
  if (kept.userId !== me.id) throw notFound();
  return { mediaType: kept.mediaType, content: vault.open(id, kept) };
}

/** A document's content, for staff: that it was looked at is noted first. */
export async function seeDocument({ sql, bus }: AppContext, vault: Vault, act: Act, id: string) {
  const kept = found(await keptOf(sql, id));
  const content = vault.open(id, kept);
  await sql`select document_see(${act.admin.id}, ${id}, ${act.ip}, ${act.userAgent})`;
  bus.publish("standing", { userId: kept.userId });
  return { mediaType: kept.mediaType, content };
}

/** What staff say of a document; nothing of it for one that is accepted as it is. */
type Verdict = { status: "approved" | "rejected" | "asked"; reason: ReasonCode | null; note: string; expiresOn: string | null };

/** Decides about a document; answers whose it is. */
async function carryOut(sql: Sql, act: Act, id: string, { status, reason, note, expiresOn }: Verdict): Promise<string> {
  const [row] = await sql<{ person: string }[]>`
    select document_decide(${act.admin.id}, ${id}, ${status}, ${reason}, ${note}, ${expiresOn}, ${act.ip}, ${act.userAgent}) as person
  `;
  return row?.person ?? "";
}

export const decideDocument = async (app: AppContext, act: Act, id: string, verdict: Verdict): Promise<StaffDocument> =>
  told(app, id, await carryOut(app.sql, act, id, verdict));

/** Accepts the documents that were selected, one transaction each, under the caller's Idempotency-Key. */
export const approveDocuments = (
  app: AppContext,
  act: Act,
  ids: readonly string[],
  key: Idempotency | null,
): Promise<Outcome<{ id: string; userId: string }>[]> =>
  together(
    app.sql,
    act.admin,
    key,
    ids.map((id) => ({ id })),
    ({ id }, own) =>
      app.sql.begin((tx) =>
        onceIn(tx, act.admin.id, own, 200, async () => ({
          id,
          userId: await carryOut(tx, act, id, { status: "approved", reason: null, note: "", expiresOn: null }),
        })),
      ),
    ({ answer: { userId } }) => announce(app, userId),
  );

export async function undoDocument(app: AppContext, act: Act, id: string): Promise<StaffDocument> {
  const [row] = await app.sql<{ person: string }[]>`select document_undo(${act.admin.id}, ${id}, ${act.ip}, ${act.userAgent}) as person`;
  return told(app, id, row?.person ?? "");
}

function announce({ bus }: AppContext, userId: string) {
  bus.publish("standing", { userId });
  bus.publish("staff", { about: "person" });
}

async function told(app: AppContext, id: string, userId: string): Promise<StaffDocument> {
  announce(app, userId);
  return found(await staffDocumentOf(app.sql, id));
}

/** Tells people of documents that end soon or have ended; answers how many. */
export async function endDocuments(sql: Sql): Promise<number> {
  const [row] = await sql<{ told: number }[]>`select documents_end() as told`;
  return row?.told ?? 0;
}
