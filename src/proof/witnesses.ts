import { appendFileSync } from "node:fs";
import * as v from "valibot";
import type { Config } from "../config";
import { MINUTE, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { sameBytes } from "../lib/bytes";
import { many, one, type Sql } from "../platform/database/db";
import { StartError } from "../platform/start_error";
import { currentLog, type Log, readConsistency, readRoot } from "./queries";
import { parseVerifier, type Verifier } from "./rules_note";
import { addCheckpointBody, cosignatureIn, sizeInConflict } from "./rules_witness";
import { lastCheckpointIn } from "./witness_file";

/** So long, in ms, is a witness waited for. */
const PATIENCE = 10 * SECOND;
/** The longest answer that is read. */
const LONGEST = 64 * 1024;

export type Witness = { url: string; verifier: Verifier };

/** The witnesses of the settings. Throws StartError where a key is none that signs checkpoints with a time. */
export function witnessesOf({ witnesses }: Pick<Config, "witnesses">): Witness[] {
  return witnesses.map(({ url, key }) => {
    const verifier = parseVerifier(key);
    if (verifier?.type !== "cosignature") throw new StartError(`WITNESS_URLS: the key of ${url} is not a cosignature key (name+id+base64 of type 4)`);
    return { url, verifier };
  });
}

/** The row of WITNESS_FILE among those of the witnesses. */
const FILE = "(file)";
/** The log is not the one that was signed before: what an operator is told by readiness, the log and a notice. */
const REPLACED = "the public log was rolled back or replaced: ";
const counted = (size: number) => size.toLocaleString("en");

type Parts = {
  witnesses: readonly Witness[];
  /** Sends the day's last checkpoint to whoever wants it. */
  onDay?: (log: Log) => Promise<unknown>;
  /** What witnesses hold against the log may have changed. */
  onHeard?: () => Promise<void>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** Why there is no signature; `contradicts`: since the witness has another log than this one. */
type Refused = { fault: string; contradicts: boolean };
const refused = (fault: string): Refused => ({ fault, contradicts: false });

/** Brings checkpoints to where the operator wants them, each minute, while this program leads, and hears what speaks against the log there. */
export class Witnesses {
  private timers: Timer[] = [];
  private turn: Promise<void> = Promise.resolve();
  private written = "";
  private leading: AbortController | null = null;

  constructor(
    private readonly app: Pick<AppContext, "sql" | "log" | "config">,
    private readonly parts: Parts,
  ) {}

  lead(): void {
    this.leading = new AbortController();
    this.timers.forEach(clearInterval);
    this.timers = [setInterval(() => void this.wake(), MINUTE)];
  }

  rest(): Promise<void> {
    this.leading?.abort();
    this.leading = null;
    this.timers.forEach(clearInterval);
    return this.turn;
  }

  /** Brings the newest checkpoint to all. Resolves when each has it, or could not be reached. */
  wake(): Promise<void> {
    return this.queue(async () => {
      const log = await this.ask();
      if (log) await this.pass(log);
    }).catch((error: unknown) => this.app.log.warn("checkpoints of the public log could not be brought to witnesses, will try again", { error }));
  }

  /** Asks all what they have of the log, for a few seconds at most. Rejects where the database could not be asked, so that nothing was noted. */
  hear(): Promise<unknown> {
    return this.queue(() => this.ask());
  }

  private queue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Answers with the log; null where there is nothing to bring, or something speaks against it: then it goes to nobody as if nothing were the matter. */
  private async ask(): Promise<Log | null> {
    const { sql, config } = this.app;
    const log = await currentLog(sql);
    if (!this.leading || !log?.note) return null;
    const { signal } = this.leading;
    await Promise.all([this.compareFile(log), ...this.parts.witnesses.map((witness) => this.askOne(witness, log, signal))]);
    await this.parts.onHeard?.();
    return (await readContradiction(sql, config)) === null ? log : null;
  }

  private async pass(log: Log): Promise<void> {
    this.write(log.note ?? "");
    const { onDay } = this.parts;
    if (onDay && (await dayIsDue(this.app.sql))) await onDay(log);
  }

  /** Notes whether the file's last checkpoint is one of this log's; what can't be read says nothing. */
  private async compareFile(log: Log): Promise<void> {
    const { sql, config } = this.app;
    const { witnessFile } = config;
    if (witnessFile === null) return;
    try {
      await noteContradiction(sql, FILE, log, await contradictionIn(witnessFile, sql, log));
    } catch (error) {
      if (!(error instanceof RangeError || isFileError(error))) throw error;
      this.app.log.error("WITNESS_FILE was not compared with the public log", { error });
    }
  }

  /** A file that somebody keeps elsewhere; a checkpoint of the same tree is not written twice. */
  private write(note: string): void {
    const { witnessFile } = this.app.config;
    const text = note.slice(0, note.indexOf("\n\n"));
    if (witnessFile === null || text === this.written) return;
    try {
      appendFileSync(witnessFile, `${note}\n`, { mode: 0o644 });
      this.written = text;
    } catch (error) {
      this.app.log.error("WITNESS_FILE can't be written", { error });
    }
  }

  private async askOne(witness: Witness, log: Log, leading: AbortSignal): Promise<void> {
    const { sql } = this.app;
    const { name } = witness.verifier;
    const known = await knownOf(sql, name);
    const old = known?.origin === log.origin ? Math.min(known.size, log.size) : 0;
    const signal = AbortSignal.any([leading, AbortSignal.timeout(PATIENCE)]);
    // What it signed is signed anew after a while, too: its time says how fresh the log is.
    const why = await this.cosign(witness, log, old, signal).catch((error: unknown) => refused(`it could not be reached: ${(error as Error).message}`));
    if (why === null || leading.aborted) return;
    const { fault, contradicts } = why;
    if (known?.fault !== fault) this.app.log.warn("a witness did not sign the public log's checkpoint", { witness: name, fault });
    await sql`
      insert into proof_witnesses (name, fault) values (${name}, ${fault.slice(0, 300)})
      on conflict (name) do update set fault = excluded.fault, tried_at = clock_timestamp()`;
    if (contradicts) await noteContradiction(sql, name, log, `witness ${name} ${fault}`);
  }

  /** Why there is no signature; null where there is one. A witness that knows another size is asked again from there. */
  private async cosign({ url, verifier }: Witness, log: Log, old: number, signal: AbortSignal, isSecond = false): Promise<Refused | null> {
    const { sql } = this.app;
    const note = log.note ?? "";
    const proof = await readConsistency(sql, log.number, old, log.size);
    const ask = this.parts.fetch ?? fetch;
    const response = await ask(`${url}/add-checkpoint`, { method: "POST", body: addCheckpointBody(old, proof, note), signal, redirect: "error" });
    const body = (await response.text()).slice(0, LONGEST);
    if (response.status === 409) {
      const size = sizeInConflict(response.headers.get("content-type"), body);
      if (size === null) return refused("it knows a log of an unknown number of entries");
      if (size === old && old === log.size) return { fault: differs(size), contradicts: true };
      // It may have signed what was appended since this log was read, also by another program.
      const now = size > log.size ? await currentLog(sql) : log;
      if (now?.number !== log.number) return refused("this log has ended since");
      if (size > now.size) return { fault: `has seen ${counted(size)} entries, this log has ${counted(now.size)}`, contradicts: true };
      return isSecond ? refused(`it answered 409 and has ${counted(size)} entries by now`) : this.cosign({ url, verifier }, now, size, signal, true);
    }
    // From the size that it has itself, by what this log holds: what it signed was another tree.
    if (response.status === 422 && old > 0) return { fault: differs(old), contradicts: true };
    if (response.status !== 200) return refused(`it answered ${response.status}`);
    const checkpoint = note.slice(0, note.indexOf("\n\n") + 1);
    const signature = cosignatureIn(checkpoint, body, verifier);
    if (!signature) return refused("its signature is wrong, or not there");
    await sql`
      insert into proof_witnesses (name, origin, size, checkpoint, signature, signed_at)
      values (${verifier.name}, ${log.origin}, ${log.size}, ${checkpoint}, ${signature.line}, to_timestamp(${signature.time}))
      on conflict (name) do update
      set origin = excluded.origin, size = excluded.size, checkpoint = excluded.checkpoint, signature = excluded.signature, signed_at = excluded.signed_at,
        fault = null, contradicted_origin = null, contradiction = null, tried_at = clock_timestamp()`;
    return null;
  }
}

/** Of the file that could not be read, and not of the database. */
const isFileError = (error: unknown) => error instanceof Error && "syscall" in error && "path" in error;

/** What the file holds against the log; null where nothing. Throws RangeError where the log lacks a tile. */
async function contradictionIn(path: string, sql: Sql, log: Log): Promise<string | null> {
  const last = await lastCheckpointIn(path, log.origin);
  if (last === null) return null;
  if (last.size > log.size) return `WITNESS_FILE has a checkpoint of ${counted(last.size)} entries, this log has ${counted(log.size)}`;
  const isOurs = sameBytes(await readRoot(sql, log.number, last.size), last.root);
  return isOurs ? null : `WITNESS_FILE has a checkpoint of other entries among the first ${counted(last.size)} than this log has`;
}

const differs = (size: number) => `has seen other entries among the first ${counted(size)} than this log has`;

/** What one of them holds against the log; `fault` null: nothing any more. */
async function noteContradiction(sql: Sql, name: string, { origin }: Log, fault: string | null): Promise<void> {
  if (fault === null) await sql`update proof_witnesses set contradicted_origin = null, contradiction = null where name = ${name} and contradiction is not null`;
  else
    await sql`
      insert into proof_witnesses (name, contradicted_origin, contradiction) values (${name}, ${origin}, ${(REPLACED + fault).slice(0, 500)})
      on conflict (name) do update
      set contradicted_origin = excluded.contradicted_origin, contradiction = excluded.contradiction, tried_at = clock_timestamp()`;
}

const contradictionRow = v.strictObject({ contradiction: v.string() });
/** What speaks against the log of now, in words: of the witnesses that are set, and the file where one is; null where nothing does. */
export async function readContradiction(sql: Sql, config: Pick<Config, "witnesses" | "witnessFile">): Promise<string | null> {
  const names = [...config.witnesses.map(({ key }) => parseVerifier(key)?.name ?? ""), ...(config.witnessFile === null ? [] : [FILE])];
  if (names.length === 0) return null;
  const row = await one(
    contradictionRow,
    sql`
      select w.contradiction from proof_witnesses w join proof_logs l on l.origin = w.contradicted_origin and l.ended_at is null
      where w.contradiction is not null and w.name = any(${names}::text[]) order by w.name limit 1`,
  );
  return row?.contradiction ?? null;
}

const knownRow = v.strictObject({ origin: v.nullable(v.string()), size: v.number(), fault: v.nullable(v.string()) });
const knownOf = (sql: Sql, name: string) => one(knownRow, sql`select origin, size, fault from proof_witnesses where name = ${name}`);

const dueRow = v.strictObject({ name: v.string() });
/** Once in a day (UTC) somebody gets true. */
async function dayIsDue(sql: Sql): Promise<boolean> {
  const row = await one(
    dueRow,
    sql`
      insert into proof_witnesses (name, size) values ('(letters)', 0)
      on conflict (name) do update set tried_at = clock_timestamp()
      where proof_witnesses.tried_at < date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
      returning name`,
  );
  return row !== null;
}

const witnessedRow = v.strictObject({ checkpoint: v.string(), signature: v.string(), size: v.number() });
/** The newest checkpoint that witnesses signed, with the signatures of all who signed that one beneath the log's own; null where there is none. */
export async function readWitnessed(sql: Sql): Promise<string | null> {
  const rows = await many(
    witnessedRow,
    sql`
      select w.checkpoint, w.signature, w.size from proof_witnesses w join proof_logs l on l.origin = w.origin and l.ended_at is null
      where w.signature is not null order by w.size desc limit 100`,
  );
  const newest = rows[0];
  return newest ? `${newest.checkpoint}\n${rows.flatMap(({ checkpoint, signature }) => (checkpoint === newest.checkpoint ? signature : [])).join("")}` : null;
}
