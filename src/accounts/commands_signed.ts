import { type Deed, doOrAsk } from "../identity/commands_signatures";
import { conflict, found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { changeGroupIn, type Changing, openGroupIn, type Opening, tell } from "./commands_groups";
import { groupVersions } from "./queries_groups";
import { GROUP_TERMS, termSaid } from "./rules_group_words";
import type { GroupTerms, GroupVersion } from "./schema_groups";

/** What of a group's terms takes a second person, where the house says so; a swap of more than 100 % a year always does. */

const newestOf = async (sql: Sql, id: string): Promise<GroupVersion> => found((await groupVersions(sql)).find((each) => each.id === id) ?? null);
const named = (body: Changing | Opening) => GROUP_TERMS.filter(({ name }) => body[name] !== undefined);
/** What of the terms a body names, in words. */
const said = (terms: GroupVersion, body: Changing | Opening) => Object.fromEntries(named(body).map(({ name, title }) => [title, termSaid(terms, name)]));
/** The terms as the body would have them. */
const changed = (now: GroupVersion, body: Changing): GroupVersion =>
  ({ ...now, ...Object.fromEntries(named(body).map(({ name }) => [name, body[name]])) }) as GroupVersion;

/** Whether a swap, or the fee in its place, moves more than 100 % a year. */
async function isBeyond(sql: Sql, { swaps, swapFreeFee }: Pick<GroupVersion, "swaps" | "swapFreeFee">): Promise<boolean> {
  const [row] = await sql<{ beyond: string | null }[]>`select swap_beyond(${JSON.stringify(swaps)}::text::jsonb, ${swapFreeFee}::numeric) as beyond`;
  return (row?.beyond ?? null) !== null;
}
const goesBeyond = async (sql: Sql, body: Changing): Promise<boolean> =>
  (body.swaps !== undefined || body.swapFreeFee !== undefined) && isBeyond(sql, changed(await newestOf(sql, body.id), body));

export function groupDeeds(app: AppContext) {
  const of = (deed: "costs" | "margin", names: readonly string[]): Deed<Changing, GroupTerms> => ({
    kind: `group.${deed}`,
    deed,
    permission: "groups.change",
    object: ({ id }) => id,
    title: ({ id }, before) =>
      `${deed === "costs" ? "Costs" : "Leverage"} of the group ${id}${"Version" in before ? `, after version ${String(before.Version)}` : ""}`,
    before: async (sql, body) => {
      const now = await newestOf(sql, body.id);
      return { Version: now.version, ...said(now, body) };
    },
    after: (body, before) => ({ ...before, ...said(changed({} as GroupVersion, body), body) }),
    fit: async (sql, { id, version }) => {
      if ((await newestOf(sql, id)).version !== version) throw conflict("This group was changed meanwhile. Look at it again before you change it.");
    },
    counts: (body, before) =>
      named(body).some(
        ({ name, title }) => names.includes(name) && said(changed({} as GroupVersion, body), body)[title] !== (before as Record<string, unknown>)[title],
      ),
    run: (tx, act, body) => changeGroupIn(tx, act, body, true),
    told: (set) => void tell(app, set),
  });
  return {
    costs: { ...of("costs", ["spreadPips", "spreads", "commission", "swaps", "swapFreeFee"]), always: goesBeyond },
    margin: of("margin", ["leverage"]),
  };
}

/** A new group with such a swap; any other is opened alone, since nobody is in it. */
export const groupOpening = (app: AppContext): Deed<Opening, GroupTerms> => ({
  kind: "group.open",
  deed: "costs",
  permission: "groups.change",
  object: ({ id }) => id,
  title: ({ id }) => `A new group ${id}, with a swap beyond 100 % a year`,
  before: async () => ({}),
  after: (body) => said(body as unknown as GroupVersion, body),
  fit: async (sql, { id }) => {
    if ((await sql`select from account_types where id = ${id}`).length > 0) throw conflict("There is a group of this id already.");
  },
  always: async () => true,
  run: (tx, act, body) => openGroupIn(tx, act, body, true),
  told: (set) => void tell(app, set),
});

/** Opens a group (conflict: an id that there is), or asks for a second signature where its swap goes beyond 100 % a year. */
export const openOrAsk = async (app: AppContext, act: Act, body: Opening) => {
  const alone = async () => tell(app, await openGroupIn(app.sql, act, body));
  const { swaps = [], swapFreeFee = null } = body;
  return (await isBeyond(app.sql, { swaps, swapFreeFee })) ? doOrAsk(app, act, groupOpening(app), { body, reason: body.reason }, alone) : alone();
};
