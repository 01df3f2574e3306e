import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config";
import { Refusal } from "../lib/refusal";
import { findDataFolder } from "../platform/database/data_folder";
import type { Log } from "../platform/log";

/**
 * Encrypts what people send of themselves under a key of this installation, AES-256-GCM, bound to the document's id. The key is not in the
 * database, and so in no backup: who has only those can read nothing. It is `DOCUMENT_KEY`, or a file of the data folder, made with the first document.
 */

const FILE = "documents.key";
const [IV, TAG] = [12, 16];

export type Vault = {
  /** The content as it is kept, and which key opens it. `isFirst`: nothing is kept yet, so a key may be made. Refuses (unavailable) without a key. */
  lock(id: string, content: Uint8Array, isFirst: () => Promise<boolean>): Promise<{ cipher: Buffer; keyId: string }>;
  /** What was kept. Refuses (unavailable) where its key is not here. */
  open(id: string, kept: { content: Uint8Array; keyId: string }): Buffer;
};

const NO_KEY = "Documents can't be taken or read here just now: the key for them is missing. Please contact support.";
const keyless = () => new Refusal("unavailable", NO_KEY, undefined, 3600);
const idOf = (key: Buffer) => new Bun.CryptoHasher("sha256").update("halyard documents").update(key).digest("hex").slice(0, 16);

export function openVault(config: Pick<Config, "documentKey" | "dataDir" | "databaseUrl">, log: Log): Vault {
  let key: Buffer | null = config.documentKey === null ? null : Buffer.from(config.documentKey, "hex");
  // On a database that others share the file would be one program's alone, and in a container gone with it.
  const path = config.databaseUrl === null ? join(findDataFolder(config.dataDir), FILE) : null;
  const refuse = (why: string) => {
    log.error(`the key of people's documents is missing: ${why}`);
    return keyless();
  };
  const present = () => (key ??= path === null ? null : readKey(path));
  return {
    async lock(id, content, isFirst) {
      if (!present()) {
        if (path === null) throw refuse("with DATABASE_URL it is DOCUMENT_KEY");
        if (!(await isFirst())) throw refuse(`${path} is not there, or is none; put it back from where it is kept safe`);
        key = makeKey(path);
      }
      const own = key as Buffer;
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", own, iv).setAAD(Buffer.from(id));
      const body = Buffer.concat([cipher.update(content), cipher.final()]);
      return { cipher: Buffer.concat([iv, cipher.getAuthTag(), body]), keyId: idOf(own) };
    },
    open(id, { content, keyId }) {
      const own = present();
      if (!own || idOf(own) !== keyId) throw refuse(`a document was kept under another one (${keyId})`);
      const kept = Buffer.from(content);
      const decipher = createDecipheriv("aes-256-gcm", own, kept.subarray(0, IV))
        .setAAD(Buffer.from(id))
        .setAuthTag(kept.subarray(IV, IV + TAG));
      return Buffer.concat([decipher.update(kept.subarray(IV + TAG)), decipher.final()]);
    },
  };
}

/** Null where there is none. */
function readKey(path: string): Buffer | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : null;
  } catch {
    return null;
  }
}

/** Another program of this folder may have been faster: then it is that one's. */
function makeKey(path: string): Buffer {
  const made = randomBytes(32);
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${made.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    const there = readKey(path);
    if (there) return there;
    throw error;
  }
  return made;
}
