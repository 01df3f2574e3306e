import { expect } from "bun:test";

/** Callers of programs that come and go: what was answered, what was cut off, and that both are the same when asked again. */

export type Body = Record<string, unknown>;
export type Caller = { cookie: string; id: string };
export type Told = { status: number; text: string };
/** A command under its idempotency key; null: the line was cut before an answer. */
export type Sent = { by: Caller; path: string; body: Body; key: string; told: Told | null };

/** A program that does not answer in so long, in ms, is as good as gone. */
const PATIENCE = 4_000;
const AT_ONCE = 16;

/** An answer, and not a word that it is to be asked for later. */
export const isAnswer = (told: Told | null | undefined): told is Told => told != null && told.status < 500 && told.status !== 429;
export const parsed = ({ text }: Told) => JSON.parse(text) as Body;

/** Calls to two programs, of which `base` says where the one at a place is now. */
export function callsTo(base: (place: number) => string) {
  async function ask(place: number, by: Caller, path: string, body: Body, key?: string): Promise<Told> {
    const headers = { "Content-Type": "application/json", Cookie: by.cookie, ...(key ? { "Idempotency-Key": key } : {}) };
    const response = await fetch(base(place) + path, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) });
    const text = await response.text();
    for (const set of response.headers.getSetCookie()) if (set.startsWith("sid=")) by.cookie = set.split(";")[0] ?? "";
    return { status: response.status, text };
  }

  /** Asks any program until one gives an answer that is not 'later'. */
  async function insist(by: Caller, path: string, body: Body, key?: string): Promise<Told> {
    for (let n = 0; n < 300; n++) {
      const told = await ask(n % 2, by, path, body, key).catch(() => null);
      if (isAnswer(told)) return told;
      await Bun.sleep(100);
    }
    throw new Error(`no answer: ${path}`);
  }

  return {
    ask,
    insist,
    /** Signs in, or registers. */
    async enter(path: string, body: Body): Promise<Caller> {
      const by = { cookie: "", id: "" };
      return Object.assign(by, { id: (parsed(await insist(by, path, body)).user as { id: string }).id });
    },
    /** Whatever was answered is answered the same again; what was cut off happened once or not at all. */
    async expectSame(sent: Sent[]): Promise<void> {
      for (let from = 0; from < sent.length; from += AT_ONCE)
        await Promise.all(
          sent.slice(from, from + AT_ONCE).map(async ({ by, path, body, key, told }) => {
            const first = isAnswer(told) ? told : await insist(by, path, body, key);
            const again = await insist(by, path, body, key);
            expect([path, again.status, again.text]).toEqual([path, first.status, first.text]);
          }),
        );
    },
  };
}
