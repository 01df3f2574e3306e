import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../config";
import { SECOND } from "../../lib/time";
import { findDataFolder } from "../database/data_folder";
import { connect } from "../database/db";
import { asRole } from "../database/roles";
import type { Store } from "../database/store";
import type { Log } from "../log";
import { StartError } from "../start_error";
import { Archiver, ARCHIVIST, endArchive, makeArchivist } from "./archiver";
import { openArchiveStore } from "./archive_store";

/** An archive that does not answer holds the start up for so long, in ms. */
const PATIENCE = 5 * SECOND;

/** The archive that ARCHIVE_URL names, which begins to take the log; null where none is set. Throws StartError where it is not this database's to write. */
export async function openArchive(config: Config, store: Pick<Store, "owner" | "url">, log: Log): Promise<Archiver | null> {
  if (config.databaseUrl !== null) return null;
  if (config.archiveUrl === null) {
    await endArchive(store.owner);
    return null;
  }
  const folder = findDataFolder(config.dataDir);
  refuseWithin(folder, config.archiveUrl);
  await makeArchivist(store.owner);
  const archiver = new Archiver({
    sql: connect(asRole(store.url, ARCHIVIST), { max: 2, name: "halyard archive" }),
    store: openArchiveStore(config.archiveUrl, config.s3),
    key: config.archiveKey,
    folder,
    log,
    keep: config.archiveKeep,
  });
  await Promise.race([archiver.start(), Bun.sleep(PATIENCE)]);
  return archiver;
}

function refuseWithin(folder: string, url: string): void {
  if (!url.startsWith("file:")) return;
  const place = resolve(fileURLToPath(url));
  if (place === folder || place.startsWith(`${folder}/`))
    throw new StartError(`ARCHIVE_URL lies in DATA_DIR ${folder}, which the archive is to outlive. Name a place on another disk.`);
}
