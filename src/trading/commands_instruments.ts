import type { InferOutput } from "valibot";
import { notFound } from "../lib/refusal";
import { instrumentOf } from "../market/schema";
import type { Act, AppContext } from "../platform/app_context";
import { refused } from "./commands";
import { staffInstruments } from "./queries_instruments";
import type { instrumentBody, StaffInstrument } from "./schema_instruments";

/** What each field is called in the table. */
const COLUMNS = {
  state: "state",
  minimum: "minimum",
  step: "step",
  maximum: "maximum",
  marginPercent: "margin_percent",
  clientLimit: "client_limit",
} as const;

/**
 * Changes how an instrument is dealt, at once or from an instant on; a change takes the place of one that waits. Refuses (conflict) whose
 * version is not the newest any more and hiding what people hold, and (invalid) bounds that do not fit each other, by field.
 */
export async function setInstrument(
  app: AppContext,
  act: Act,
  symbol: string,
  { reason, version, effectiveAt, ...body }: InferOutput<typeof instrumentBody>,
): Promise<StaffInstrument> {
  if (!instrumentOf(symbol)) throw notFound();
  const terms = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) =>
      body[field as keyof typeof COLUMNS] === undefined ? [] : [[column, body[field as keyof typeof COLUMNS]]],
    ),
  );
  await refused(
    () => app.sql`
      select instrument_set(
        ${act.admin.id}, ${symbol}, ${version ?? null}, ${JSON.stringify(terms)}::text::jsonb, ${effectiveAt ?? null}::text::timestamptz, ${reason}, ${act.ip},
        ${act.userAgent}
      )
    `,
  );
  app.bus.publish("staff", { about: "setting" });
  const changed = (await staffInstruments(app.sql)).find((each) => each.symbol === symbol);
  if (!changed) throw notFound();
  return changed;
}
