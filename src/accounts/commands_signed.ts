import type { Deed } from "../identity/commands_signatures";
import { conflict, found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import type { Sql } from "../platform/database/db";
import { changeGroupIn, type Changing, tell } from "./commands_groups";
import { groupVersions } from "./queries_groups";
import { GROUP_TERMS, termSaid } from "./rules_group_words";
import type { GroupTerms, GroupVersion } from "./schema_groups";

/** What of a group's terms takes a second person, where the house says so; a swap of more than 100 % a year always does. */

const newestOf = async (sql: Sql, id: string): Promise<GroupVersion> => found((await groupVersions(sql)).find((each) => each.id === id) ?? null);
const named = (body: Changing) => GROUP_TERMS.filter(({ name }) => body[name] !== undefined);
/** What of the terms a body names, in words. */
const said = (terms: GroupVersion, body: Changing) => Object.fromEntries(named(body).map(({ name, title }) => [title, termSaid(terms, name)]));
/** The terms as the body would have them. */
const changed = (now: GroupVersion, body: Changing): GroupVersion =>
  ({ ...now, ...Object.fromEntries(named(body).map(({ name }) => [name, body[name]])) }) as GroupVersion;

async function isBeyond(sql: Sql, body: Changing): Promise<boolean> {
  if (body.swaps === undefined && body.swapFreeFee === undefined) return false;
  const { swaps, swapFreeFee } = changed(await newestOf(sql, body.id), body);
  const [row] = await sql<{ beyond: string | null }[]>`select swap_beyond(${JSON.stringify(swaps)}::text::jsonb, ${swapFreeFee}::numeric) as beyond`;
  return (row?.beyond ?? null) !== null;
}

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
    costs: { ...of("costs", ["spreadPips", "spreads", "commission", "swaps", "swapFreeFee"]), always: isBeyond },
    margin: of("margin", ["leverage"]),
  };
}
