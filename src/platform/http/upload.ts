import { Refusal } from "../../lib/refusal";
import { inTime, SECOND } from "../../lib/time";
import type { MediaType } from "./media";

/** Files that people send: their type is found in a worker, which delays nobody, and they are handed out so that no browser opens them. */

export const UPLOAD_LIMIT = 5 * 1024 * 1024;
export const UPLOAD_TYPES = /^(image\/(png|jpeg|webp)|application\/(pdf|octet-stream))$/i;

const ENDINGS: Readonly<Record<MediaType, string>> = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf" };

/** Hands a kept file out so that no browser opens it as a part of this site. `name` is for the eye; its ending is the type's own. */
export function fileResponse({ content, mediaType }: { content: Uint8Array; mediaType: string }, name: string): Response {
  const whole = `${name.replace(/\.\w{1,5}$/, "")}.${ENDINGS[mediaType as MediaType]}`;
  const plain = whole.replace(/[^\w. -]/g, "_");
  // RFC 6266: the plain name for all, the true one where it has other letters.
  const spelled = encodeURIComponent(whole).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      "Content-Type": mediaType,
      "Content-Disposition": `attachment; filename="${plain}"${plain === whole ? "" : `; filename*=UTF-8''${spelled}`}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
  });
}

/** What the worker says of a file. */
export type Verdict = { type: MediaType } | { refused: { code: string; message: string; fields?: Record<string, string> | undefined } };

const UNREADABLE = "This file can't be checked. Please send another one, such as a picture of it.";

type InspectorOptions = {
  start?: () => Worker;
  /** A file that takes longer, in ms, is refused, and its worker ended. */
  deadline?: number;
  /** Files that are looked at or wait for it, at most: each is held in memory. */
  most?: number;
};

/** Finds one file's type at a time, in a worker that starts with the first: whatever a file holds, it delays no other answer. */
export class Inspector {
  private worker: Worker | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private readonly start: () => Worker;
  private readonly deadline: number;
  private readonly most: number;
  /** Files in line, the one that is looked at included. */
  waiting = 0;
  /** Files that could not be looked at in time, since the start. */
  givenUp = 0;

  constructor({ start = startWorker, deadline = 5 * SECOND, most = 20 }: InspectorOptions = {}) {
    this.start = start;
    this.deadline = deadline;
    this.most = most;
  }

  /** The type of a file of a kind that is taken. Refuses (invalid, or unsupported_media_type where it took too long) any other, and (unavailable) where too many wait. */
  async typeOf(file: Uint8Array): Promise<MediaType> {
    if (this.waiting >= this.most) throw new Refusal("unavailable", "Many files are being checked just now. Please try again in a moment.", undefined, 5);
    this.waiting++;
    const turn = this.last.then(() => this.look(file)).finally(() => this.waiting--);
    this.last = turn.catch(() => {});
    const verdict = await turn;
    if ("type" in verdict) return verdict.type;
    const { code, message, fields } = verdict.refused;
    throw new Refusal(code, message, fields);
  }

  private async look(file: Uint8Array): Promise<Verdict> {
    const worker = (this.worker ??= this.start());
    const verdict = await inTime(verdictOf(worker, file), this.deadline);
    if (verdict) return verdict;
    worker.terminate();
    this.worker = null;
    this.givenUp++;
    throw new Refusal("unsupported_media_type", UNREADABLE, { file: UNREADABLE });
  }
}

/** Its path is the source's beside this file, and in the executable that of an entry point (`scripts/build.ts`). */
const startWorker = () => new Worker(new URL("./media_worker.ts", import.meta.url), { smol: true, ref: false });

/** Null where the worker broke. */
function verdictOf(worker: Worker, file: Uint8Array): Promise<Verdict | null> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Verdict>) => resolve(data);
    worker.onerror = () => resolve(null);
    worker.postMessage(file);
  });
}

/** The one of this process. */
export const inspector = new Inspector();
