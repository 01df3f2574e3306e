import * as v from "valibot";

/**
 * What lies where in an archive.
 *
 *   system.json                         whose database it is
 *   writer.json                         which program writes it
 *   wal/TTTTTTTTLLLLLLLLSSSSSSSS        a segment of the write-ahead log, named as PostgreSQL does: timeline, log, segment
 *   wal/TTTTTTTT.history                how a timeline came about
 *   base/2026-11-24T191000Z-1a2b3c4d/0001, …, manifest     a copy of the database's files, the manifest last
 */

const lsn = v.pipe(v.string(), v.regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/));

/** The first object of an archive: PostgreSQL's identifier of the database that it is of. */
export const System = v.object({ system: v.string() });

/** `writer`: a program, since its start. */
export const Writer = v.object({ writer: v.string(), at: v.number() });
export type Writer = v.InferOutput<typeof Writer>;

/** A copy of the database's files. A file's content is its pieces in order, each so many bytes of a part from an offset on. */
export const Manifest = v.object({
  timeline: v.number(),
  /** Where in the log its recovery begins, and from where on it is whole. */
  start: lsn,
  stop: lsn,
  startedAt: v.string(),
  stoppedAt: v.string(),
  segmentBytes: v.number(),
  folders: v.array(v.string()),
  files: v.array(v.object({ path: v.string(), pieces: v.array(v.tuple([v.number(), v.number(), v.number()])) })),
  label: v.string(),
  bytes: v.number(),
});
export type Manifest = v.InferOutput<typeof Manifest>;

export const SYSTEM = "system.json";
export const WRITER = "writer.json";
export const partName = (base: string, part: number) => `${base}/${String(part).padStart(4, "0")}`;
export const manifestName = (base: string) => `${base}/manifest`;
export const baseName = (at: Date) => `base/${at.toISOString().slice(0, 19).replaceAll(":", "")}Z-${crypto.randomUUID().slice(0, 8)}`;
export const isManifest = (name: string) => /^base\/[^/]+\/manifest$/.test(name);
export const baseOf = (name: string) => name.split("/").slice(0, 2).join("/");

/** A position of the log, `16/B374D848`, as one number: https://www.postgresql.org/docs/18/datatype-pg-lsn.html */
export function positionOf(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
/** The number of the segment that a position lies in. */
export const segmentOf = (position: bigint, segmentBytes: number): bigint => position / BigInt(segmentBytes);
/** Where a segment begins. */
export const startOf = (segment: bigint, segmentBytes: number): bigint => segment * BigInt(segmentBytes);
export const textOf = (position: bigint): string => `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffff_ffffn).toString(16).toUpperCase()}`;

/** PostgreSQL's name of a segment's file (XLogFileName). */
export function segmentName(timeline: number, segment: bigint, segmentBytes: number): string {
  const each = 0x1_0000_0000n / BigInt(segmentBytes);
  return hex(BigInt(timeline)) + hex(segment / each) + hex(segment % each);
}

/** The reverse; null for other names. */
export function segmentIn(name: string, segmentBytes: number): { timeline: number; segment: bigint } | null {
  const [, timeline, log, low] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? [];
  if (!timeline) return null;
  return { timeline: Number.parseInt(timeline, 16), segment: BigInt(`0x${log}`) * (0x1_0000_0000n / BigInt(segmentBytes)) + BigInt(`0x${low}`) };
}
