import { type FileHandle, open, stat } from "node:fs/promises";
import { type Checkpoint, parseCheckpoint } from "./rules_note";

/** The file that checkpoints are added to, read from its end: an operator who keeps it elsewhere than the database knows by it what was signed. */

/** So many bytes are read at once. */
const SLICE = 64 * 1024;
/** Longer than a note with all the signatures that it may have. */
const LONGEST_NOTE = 16 * 1024;

/**
 * The last checkpoint of a log of this name; null where the file is not there, is no regular file, or has none. Signatures are not looked at: a name is one
 * log's, and whoever writes here is the operator. Rejects where it can't be read.
 */
export async function lastCheckpointIn(path: string, origin: string): Promise<Checkpoint | null> {
  const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  // To open a pipe would wait for somebody who writes.
  if (!about?.isFile()) return null;
  const file = await open(path, "r");
  try {
    return await lastIn(file, about.size, origin);
  } finally {
    await file.close();
  }
}

async function lastIn(file: FileHandle, size: number, origin: string): Promise<Checkpoint | null> {
  for (let end = size; end > 0; end -= SLICE) {
    const from = Math.max(0, end - SLICE);
    // A note may lie across the end of a slice.
    const text = await readText(file, from, Math.min(size, end + LONGEST_NOTE));
    const last = checkpointsIn(text, origin).at(-1);
    if (last) return last;
  }
  return null;
}

async function readText(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("utf8", 0, bytesRead);
}

/** Those that stand whole, each followed by a signature: what was cut off while it was written does not count. */
function checkpointsIn(text: string, origin: string): Checkpoint[] {
  return [...text.matchAll(/^(\S+\n\d{1,16}\n[A-Za-z0-9+/]{43}=\n)\n— /gm)].flatMap(([, said = ""]) => {
    const checkpoint = parseCheckpoint(said);
    return checkpoint?.origin === origin ? [checkpoint] : [];
  });
}
