import type { InferOutput } from "valibot";
import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import { claimVersions } from "./queries_claims";
import type { claimBody, HouseClaim, newClaimBody } from "./schema_claims";

/** What each field is called in the table. */
const COLUMNS = { kind: "kind", text: "text", evidence: "evidence", link: "link", startsAt: "starts_at", endsAt: "ends_at" } as const;
type Said = Partial<Record<keyof typeof COLUMNS, string | null | undefined>>;
const named = (said: Said) =>
  Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) => (said[field as keyof Said] === undefined ? [] : [[column, said[field as keyof Said]]])),
  );

async function put(app: AppContext, act: Act, id: string | null, seen: number | null, said: Said, reason: string): Promise<HouseClaim> {
  const [made] = await app.sql<{ id: string }[]>`
    select house_claim_put(${act.admin.id}, ${id}, ${seen}, ${JSON.stringify(named(said))}::text::jsonb, ${reason}, ${act.ip}, ${act.userAgent}) as id`;
  app.bus.publish("staff", { about: "setting" });
  return found((await claimVersions(app.sql, found(made ?? null).id))[0] ?? null);
}

/** A claim of the house. Refuses (invalid) an end before the beginning. */
export const makeClaim = (app: AppContext, act: Act, { reason, ...said }: InferOutput<typeof newClaimBody>): Promise<HouseClaim> =>
  put(app, act, null, null, { ...said, evidence: said.evidence ?? "" }, reason);

/** Says a claim otherwise. Refuses (conflict) whose version is not the newest any more. */
export const changeClaim = (app: AppContext, act: Act, id: string, { reason, version, ...said }: InferOutput<typeof claimBody>): Promise<HouseClaim> =>
  put(app, act, id, version, said, reason);
