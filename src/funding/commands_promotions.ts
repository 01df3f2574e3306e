import type { InferOutput } from "valibot";
import { promotionKind, promotionTerms } from "../../views/funding/promotion_words";
import { type Deed, doOrAsk, takesTwo } from "../identity/commands_signatures";
import { conflict, found, invalidField } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql, Tx } from "../platform/database/db";
import { staffPromotions } from "./queries_promotions";
import { offersMore, promotionAs, promotionFields } from "./rules_promotions";
import type { promotionBody, StaffPromotion } from "./schema_promotions";

type Change = InferOutput<typeof promotionBody>;
type Asked = { id: string } & Change;

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
} as const satisfies Record<(typeof promotionFields)[number], string>;

const promotionNow = async (sql: Sql, id: string): Promise<StaffPromotion> => found((await staffPromotions(sql)).find((each) => each.id === id) ?? null);
const overtaken = () => conflict("This promotion was changed meanwhile. Look at it again before you change it.");

/** Changes of one promotion come one after the other: what offers less than what stood may offer more than what stands by then. */
const hold = (tx: Tx, id: string) => tx`select pg_advisory_xact_lock(hashtextextended(${`promotion ${id}`}, 7215222))`;

async function setIn(tx: Tx, act: Act, id: string, body: Change): Promise<StaffPromotion> {
  await hold(tx, id);
  const terms = Object.fromEntries(promotionFields.flatMap((field) => (body[field] === undefined ? [] : [[COLUMNS[field], body[field]]])));
  const { version = null, reason } = body;
  const [row] = await tx<{ set: StaffPromotion }[]>`
    select promotion_set(${act.admin.id}, ${id}, ${version}, ${JSON.stringify(terms)}::text::jsonb, ${reason}, ${act.ip}, ${act.userAgent}) as set
  `;
  return found(row ?? null).set;
}

/** What offers more than what stands takes two, unless the house says otherwise. */
export const promotionDeed = ({ bus }: Pick<AppContext, "bus">): Deed<Asked, StaffPromotion> => ({
  kind: "promotion.change",
  deed: "promotion",
  permission: "promotions.change",
  object: ({ id }) => id,
  // All that would be offered: what stays as it is is not among the differences.
  title: (body, before) => {
    const after = promotionAs(before as StaffPromotion, body);
    return `${promotionKind(after.id)}: ${promotionTerms(after)}`;
  },
  before: (sql, { id }) => promotionNow(sql, id),
  after: (body, before) => promotionAs(before as StaffPromotion, body),
  counts: (body, before) => offersMore(before as StaffPromotion, promotionAs(before as StaffPromotion, body), Date.now()),
  fit: async (sql, { id, ...body }) => {
    const now = await promotionNow(sql, id);
    if (now.version !== body.version) throw overtaken();
    const { startsAt, endsAt } = promotionAs(now, body);
    if (startsAt !== null && endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) throw invalidField("endsAt", "The end must be after the beginning");
  },
  run: (tx, act, { id, ...body }) => setIn(tx, act, id, body),
  told: () => bus.publish("staff", { about: "setting" }),
});

/**
 * Changes what is offered from now on, or asks for a second signature (202) where it offers more; deposits made before earn what was offered
 * then. Refuses (conflict) whose version is not the newest any more, and (invalid) an end before the beginning.
 */
export async function setPromotion(app: AppContext, act: Act, id: string, body: Change) {
  const deed = promotionDeed(app);
  const { version } = await promotionNow(app.sql, id);
  // What waits holds for what stands now, whether or not that was named.
  const asked = { body: { id, ...body, version: body.version ?? version }, reason: body.reason };
  return doOrAsk(app, act, deed, asked, async () => {
    const set = await app.sql.begin(async (tx) => {
      await hold(tx, id);
      if (await takesTwo(tx, act, deed, { id, ...body })) throw overtaken();
      return setIn(tx, act, id, body);
    });
    deed.told?.(set);
    return set;
  });
}
