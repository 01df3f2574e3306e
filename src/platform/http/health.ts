import { answer, endpoint } from "../../lib/endpoint";
import { Refusal } from "../../lib/refusal";
import type { AppContext } from "../app_context";
import { Routes, Reply } from "./routes";

const alive = endpoint("GET /healthz", { answer: answer<{ status: "ok" }>() });
/** How far the archive is behind at most, in whole seconds, and since when it holds a copy to restore from; both null before the first. */
type ArchiveLag = { lagSeconds: number | null; copyFrom: string | null; fault: string | null };
const ready = endpoint("GET /readyz", { answer: answer<{ ready: boolean; missing: string[]; archive?: ArchiveLag }>() });

const ENDS = "This program ends in a moment";

/** For health checks: alive as long as it answers and is not about to end; ready when the database and the parts named are, else with what is missing. */
export const healthRoutes = (app: AppContext, partsMissing: () => (string | null)[]) =>
  new Routes(app, import.meta.path)
    .open(alive, () => {
      if (app.leaving) throw new Refusal("unavailable", `${ENDS}. Please ask another.`, undefined, 1);
      return { status: "ok" as const };
    })
    .open(ready, async () => {
      const missing = [app.leaving ? ENDS : null, await databaseMissing(app), ...partsMissing()].filter((each) => each !== null);
      return new Reply(missing.length ? 503 : 200, { ready: missing.length === 0, missing, ...archiveLag(app) });
    });

/** An archive that is away is no reason to send people elsewhere, so it is told beside. */
function archiveLag({ archive }: AppContext): { archive?: ArchiveLag } {
  if (!archive) return {};
  const { safeUntil, base, fault } = archive.state;
  const lagSeconds = safeUntil === null ? null : Math.max(0, Math.ceil((Date.now() - safeUntil) / 1000));
  return { archive: { lagSeconds, copyFrom: base === null ? null : new Date(base).toISOString(), fault: fault && "the archive does not take the log" } };
}

/** After this long without another refusal, in ms, the disk is taken to have room again. */
const FULL_FOR = 30_000;

async function databaseMissing({ sql, diskFullAt }: AppContext): Promise<string | null> {
  if (diskFullAt !== undefined && performance.now() - diskFullAt < FULL_FOR) return "the database's disk is full";
  const answered = sql`select 1`.then(
    () => null,
    () => "the database does not answer",
  );
  return Promise.race([answered, Bun.sleep(2_000).then(() => "the database does not answer in time")]);
}
