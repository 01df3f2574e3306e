import type { InferOutput } from "valibot";
import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { promotionBody, StaffPromotion } from "./schema_promotions";

/** What each field is called in the table. */
const COLUMNS = {
  title: "title",
  amount: "amount",
  minimumDeposit: "minimum_deposit",
  turnover: "turnover",
  isActive: "is_active",
  startsAt: "starts_at",
  endsAt: "ends_at",
  countries: "countries",
} as const;

/**
 * Changes what is offered from now on; deposits made before earn what was offered then. Refuses (conflict) whose version is not the newest any
 * more, and (invalid) an end before the beginning.
 */
export async function setPromotion(
  app: AppContext,
  act: Act,
  id: string,
  { reason, version, ...body }: InferOutput<typeof promotionBody>,
): Promise<StaffPromotion> {
  const terms = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) =>
      body[field as keyof typeof COLUMNS] === undefined ? [] : [[column, body[field as keyof typeof COLUMNS]]],
    ),
  );
  const [row] = await app.sql<{ set: StaffPromotion }[]>`
    select promotion_set(${act.admin.id}, ${id}, ${version ?? null}, ${JSON.stringify(terms)}::text::jsonb, ${reason}, ${act.ip}, ${act.userAgent}) as set
  `;
  app.bus.publish("staff", { about: "setting" });
  return found(row ?? null).set;
}
