import * as v from "valibot";
import { StartError } from "../start_error";
import { Manifest, segmentIn } from "./archive_layout";
import { unseal } from "./archive_seal";
import type { ArchiveStore } from "./archive_store";

/** One of the objects that are plain JSON; null where it is not there. Throws StartError where it is damaged. */
export async function readJson<S extends v.GenericSchema>(store: ArchiveStore, name: string, shape: S): Promise<v.InferOutput<S> | null> {
  const object = await store.read(name);
  if (object === null) return null;
  try {
    return v.parse(shape, JSON.parse(Buffer.from(object).toString()));
  } catch {
    throw new StartError(`The archive's ${name} in ${store.place} is damaged.`);
  }
}

/** Throws StartError where it is damaged or the key is another. */
export async function readManifest(store: ArchiveStore, key: string | null, name: string): Promise<Manifest> {
  const object = await store.read(name);
  if (object === null) throw new StartError(`The archive's ${name} is gone.`);
  const { content } = await unseal(key, name, object);
  return v.parse(Manifest, JSON.parse(Buffer.from(content).toString()));
}

/** The segments that an archive holds, as PostgreSQL numbers them. */
export async function segmentsOf(store: ArchiveStore, segmentBytes: number): Promise<{ name: string; timeline: number; segment: bigint }[]> {
  const names = await store.list("wal");
  return names.flatMap((name) => {
    const found = segmentIn(name.slice("wal/".length), segmentBytes);
    return found ? [{ name, ...found }] : [];
  });
}
