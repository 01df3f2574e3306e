import { appendFileSync } from "node:fs";
import * as v from "valibot";
import type { Config } from "../config";
import { MINUTE, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { many, one, type Sql } from "../platform/database/db";
import { StartError } from "../platform/start_error";
import { currentLog, type Log, readConsistency } from "./queries";
import { parseVerifier, type Verifier } from "./rules_note";
import { addCheckpointBody, cosignatureIn, sizeInConflict } from "./rules_witness";

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

type Parts = {
  witnesses: readonly Witness[];
  /** Sends the day's last checkpoint to whoever wants it. */
  onDay?: (log: Log) => Promise<unknown>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** Brings checkpoints to where the operator wants them, each minute, while this program leads. */
export class Witnesses {
  private timers: Timer[] = [];
  private turn: Promise<void> = Promise.resolve();
  private written = "";
  private isLeading = false;

  constructor(
    private readonly app: Pick<AppContext, "sql" | "log" | "config">,
    private readonly parts: Parts,
  ) {}

  lead(): void {
    this.isLeading = true;
    this.timers.forEach(clearInterval);
    this.timers = [setInterval(() => void this.wake(), MINUTE)];
  }

  rest(): Promise<void> {
    this.isLeading = false;
    this.timers.forEach(clearInterval);
    return this.turn;
  }

  /** Brings the newest checkpoint to all. Resolves when each has it, or could not be reached. */
  wake(): Promise<void> {
    return (this.turn = this.turn
      .then(() => this.bring())
      .catch((error: unknown) => this.app.log.warn("checkpoints of the public log could not be brought to witnesses, will try again", { error })));
  }

  private async bring(): Promise<void> {
    const { sql } = this.app;
    const log = await currentLog(sql);
    if (!this.isLeading || !log?.note) return;
    this.write(log.note);
    await Promise.all(this.parts.witnesses.map((witness) => this.ask(witness, log)));
    const { onDay } = this.parts;
    if (onDay && (await dayIsDue(sql))) await onDay(log);
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

  private async ask(witness: Witness, log: Log): Promise<void> {
    const { sql } = this.app;
    const { name } = witness.verifier;
    const known = await knownOf(sql, name);
    const old = known?.origin === log.origin ? known.size : 0;
    // What it signed is signed anew after a while, too: its time says how fresh the log is.
    const fault = await this.cosign(witness, log, old).catch((error: unknown) => `it could not be reached: ${(error as Error).message}`);
    if (fault === null) return;
    if (known?.fault !== fault) this.app.log.warn("a witness did not sign the public log's checkpoint", { witness: name, fault });
    await sql`
      insert into proof_witnesses (name, fault) values (${name}, ${fault.slice(0, 300)})
      on conflict (name) do update set fault = excluded.fault, tried_at = clock_timestamp()`;
  }

  /** Why there is no signature; null where there is one. A witness that knows another size is asked again from there. */
  private async cosign({ url, verifier }: Witness, log: Log, old: number, isSecond = false): Promise<string | null> {
    const { sql } = this.app;
    const note = log.note ?? "";
    const proof = await readConsistency(sql, log.number, old, log.size);
    const ask = this.parts.fetch ?? fetch;
    const response = await ask(`${url}/add-checkpoint`, {
      method: "POST",
      body: addCheckpointBody(old, proof, note),
      signal: AbortSignal.timeout(PATIENCE),
      redirect: "error",
    });
    const body = (await response.text()).slice(0, LONGEST);
    if (response.status === 409 && !isSecond) {
      const size = sizeInConflict(response.headers.get("content-type"), body);
      if (size === null || size > log.size) return `it knows a log of ${size ?? "an unknown number of"} entries, which this one is not`;
      return this.cosign({ url, verifier }, log, size, true);
    }
    if (response.status !== 200) return `it answered ${response.status}`;
    const checkpoint = note.slice(0, note.indexOf("\n\n") + 1);
    const signature = cosignatureIn(checkpoint, body, verifier);
    if (!signature) return "its signature is wrong, or not there";
    await sql`
      insert into proof_witnesses (name, origin, size, checkpoint, signature, signed_at)
      values (${verifier.name}, ${log.origin}, ${log.size}, ${checkpoint}, ${signature.line}, to_timestamp(${signature.time}))
      on conflict (name) do update
      set origin = excluded.origin, size = excluded.size, checkpoint = excluded.checkpoint, signature = excluded.signature, signed_at = excluded.signed_at,
        fault = null, tried_at = clock_timestamp()`;
    return null;
  }
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
