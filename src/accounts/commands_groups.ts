import type { InferOutput } from "valibot";
import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
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
  spreads: "spreads",
  swaps: "swaps",
  swapFreeFee: "swap_fee",
  countries: "countries",
} as const;

type Asked = Partial<Omit<InferOutput<typeof newGroupBody>, "id" | "reason" | "effectiveAt">>;

async function put(sql: Sql, { admin, ip, userAgent }: Act, id: string, version: number | null, asked: Asked, { effectiveAt, reason, signed }: When) {
  const terms = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([field, column]) => {
      const said = asked[field as keyof typeof COLUMNS];
      return said === undefined ? [] : [[column, said]];
    }),
  );
  const [row] = await sql<{ set: GroupTerms }[]>`
    select group_set(
      ${admin.id}, ${id}, ${version === null}, ${version}, ${JSON.stringify(signed ? { ...terms, signed } : terms)}::text::jsonb, ${effectiveAt}::text::timestamptz, ${notice(sql)},
      ${reason}, ${ip}, ${userAgent}
    ) as set
  `;
  return found(row ?? null).set;
}
export function tell(app: AppContext, set: GroupTerms): GroupTerms {
  app.bus.publish("staff", { about: "setting" });
  app.bus.publish("personNews", {});
  return set;
}
type When = { effectiveAt: string | null; reason: string; signed?: true };

export type Opening = InferOutput<typeof newGroupBody>;
export type Changing = InferOutput<typeof groupBody>;
/** In a transaction of the caller's, who tells of it. `signed`: by a second person. */
export const openGroupIn = (sql: Sql, act: Act, { id, reason, effectiveAt, ...asked }: Opening, signed?: true) =>
  put(sql, act, id, null, asked, { effectiveAt, reason, ...(signed && { signed }) });
export const changeGroupIn = (sql: Sql, act: Act, { id, reason, effectiveAt, version, ...asked }: Changing, signed?: true) =>
  put(sql, act, id, version, asked, { effectiveAt, reason, ...(signed && { signed }) });

/** Changes a group's terms. Refuses (conflict) whose version is not the newest any more. */
export const changeGroup = async (app: AppContext, act: Act, body: Changing) => tell(app, await changeGroupIn(app.sql, act, body));
