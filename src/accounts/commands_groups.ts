import type { InferOutput } from "valibot";
import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import { notice } from "./queries_groups";
import type { GroupTerms, groupBody, newGroupBody } from "./schema_groups";

/** What each field is called in the table. */
const COLUMNS = {
  name: "name",
  spreadPips: "spreads_from",
  commission: "commission",
  minimumDeposit: "minimum_deposit",
  leverage: "leverage",
  isOpen: "is_active",
  swaps: "swaps",
  swapFreeFee: "swap_fee",
  countries: "countries",
} as const;

type Asked = Partial<Omit<InferOutput<typeof newGroupBody>, "id" | "reason" | "effectiveAt">>;

async function put(app: AppContext, { admin, ip, userAgent }: Act, id: string, version: number | null, asked: Asked, { effectiveAt, reason }: When) {
  const terms = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) => {
      const said = asked[field as keyof typeof COLUMNS];
      return said === undefined ? [] : [[column, said]];
    }),
  );
  const [row] = await app.sql<{ set: GroupTerms }[]>`
    select group_set(
      ${admin.id}, ${id}, ${version === null}, ${version}, ${JSON.stringify(terms)}::text::jsonb, ${effectiveAt}::text::timestamptz, ${notice(app.sql)},
      ${reason}, ${ip}, ${userAgent}
    ) as set
  `;
  app.bus.publish("staff", { about: "setting" });
  app.bus.publish("personNews", {});
  return found(row ?? null).set;
}
type When = { effectiveAt: string | null; reason: string };

/** Opens a group. Refuses (conflict) an id that there is. */
export const openGroup = (app: AppContext, act: Act, { id, reason, effectiveAt, ...asked }: InferOutput<typeof newGroupBody>) =>
  put(app, act, id, null, asked, { effectiveAt, reason });

/** Changes a group's terms. Refuses (conflict) whose version is not the newest any more. */
export const changeGroup = (app: AppContext, act: Act, { id, reason, effectiveAt, version, ...asked }: InferOutput<typeof groupBody>) =>
  put(app, act, id, version, asked, { effectiveAt, reason });
