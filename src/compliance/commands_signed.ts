import { EEA } from "../lib/countries";
import type { BodyOf } from "../lib/endpoint";
import { conflict, found } from "../lib/refusal";
import type { Deed } from "../identity/commands_signatures";
import type { AppContext } from "../platform/app_context";
import type { Db, Sql } from "../platform/database/db";
import { dropJurisdiction, putEsmaRetail, putJurisdiction, putLevel, seenOf } from "./commands_rules";
import { erasePerson, refuseErasing, toldErased } from "./commands_privacy";
import { jurisdictions, levelRules } from "./queries_rules";
import type { applyPreset, Jurisdiction, LevelRule, removeJurisdiction, setJurisdiction, setLevel } from "./schema_rules";

/** What of the rules of levels and countries takes a second person, where the house says so. */

type Level = { level: number } & BodyOf<typeof setLevel>;
type Country = BodyOf<typeof setJurisdiction>;
type Gone = BodyOf<typeof removeJurisdiction>;

const levelNow = async (sql: Sql, level: number): Promise<Partial<LevelRule>> => (await levelRules(sql)).find((each) => each.level === level) ?? {};
/** What is compared when it is signed is what is said, which an earlier release wrote down without a version. */
const unversioned = <T extends object>(row: T) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== "version"));
/** How many live there is no part of the rules. */
const said = (row: Jurisdiction) => Object.fromEntries(Object.entries(unversioned(row)).filter(([name]) => name !== "people"));
const rulesOf = async (sql: Sql, country: string) => (await jurisdictions(sql)).find((each) => each.country === country);
const countryNow = async (sql: Sql, country: string) => {
  const now = await rulesOf(sql, country);
  return now ? said(now) : {};
};
const countrySeen = async <B extends Gone>(sql: Sql, body: B): Promise<B> => ({
  ...body,
  version: body.version ?? (await rulesOf(sql, body.country))?.version ?? "none",
});
async function refuseChanged(sql: Sql, { country, version }: Gone) {
  if (version !== undefined && ((await rulesOf(sql, country))?.version ?? "none") !== version)
    throw conflict("The rules of this country were changed meanwhile. Look at them again before you change them.");
}

export function complianceDeeds(app: AppContext) {
  const of = { deed: "compliance", permission: "compliance.change", told: () => app.bus.publish("staff", { about: "setting" }) } as const;
  /** The same program within the signer's transaction. */
  const within = (tx: Sql): AppContext => ({ ...app, sql: tx as Db });
  const level: Deed<Level, LevelRule[]> = {
    ...of,
    kind: "level.set",
    object: (body) => String(body.level),
    title: (body) => `What level ${body.level} opens`,
    before: async (sql, body) => unversioned(await levelNow(sql, body.level)),
    after: unversioned,
    seen: async (sql, body) => ({ ...body, version: body.version ?? (await levelNow(sql, body.level)).version }),
    fit: async (sql, { level: which, version }) => {
      if (version !== undefined && (await levelNow(sql, which)).version !== version)
        throw conflict("This level was changed meanwhile. Look at it again before you change it.");
    },
    run: (tx, act, { level: which, ...rule }) => putLevel(within(tx), act, which, rule),
  };
  const country: Deed<Country, Jurisdiction[]> = {
    ...of,
    kind: "country.set",
    object: (body) => body.country,
    title: (body) => `Rules of ${body.country}`,
    before: (sql, body) => countryNow(sql, body.country),
    after: unversioned,
    seen: countrySeen,
    fit: refuseChanged,
    run: (tx, act, body) => putJurisdiction(within(tx), act, body),
  };
  const drop: Deed<Gone, Jurisdiction[]> = {
    ...of,
    kind: "country.drop",
    object: (body) => body.country,
    title: (body) => `Remove the rules of ${body.country}`,
    before: (sql, body) => countryNow(sql, body.country),
    after: () => ({}),
    seen: countrySeen,
    fit: refuseChanged,
    run: (tx, act, body) => dropJurisdiction(within(tx), act, body),
  };
  const preset: Deed<BodyOf<typeof applyPreset>, Jurisdiction[]> = {
    ...of,
    kind: "country.preset",
    object: (body) => body.preset,
    title: () => "Apply 'ESMA retail' to the European Economic Area",
    before: async (sql) => ({ countries: (await jurisdictions(sql)).filter((each) => EEA.includes(each.country)).map(said) }),
    after: (body) => ({ preset: body.preset }),
    seen: async (sql, body) => ({
      ...body,
      versions: body.versions ?? (await jurisdictions(sql)).map(({ country: which, version }) => ({ country: which, version })),
    }),
    fit: async (sql, { versions }) => {
      const seen = seenOf(versions);
      await sql`select jurisdictions_seen(${EEA}, ${seen && JSON.stringify(seen)}::text::jsonb)`;
    },
    run: (tx, act, body) => putEsmaRetail(within(tx), act, body),
  };
  return { level, country, drop, preset };
}

type Erasing = { id: string; reason: string };
/** Nothing of it says who it is, since what was asked for is kept: the client's page does, until it is done. */
export const eraseDeed = (app: AppContext): Deed<Erasing, { keptUntil: string; person: string }> => ({
  kind: "person.erase",
  deed: "erase",
  permission: "people.erase",
  object: ({ id }) => id,
  title: ({ id }) => `Close the account of client ${id.slice(0, 8)}, and erase who it was`,
  before: async (sql, { id }) => {
    const [row] = await sql<{ closed: boolean }[]>`select closed_at is not null as closed from users where id = ${id}`;
    return found(row ?? null);
  },
  after: () => ({ closed: true }),
  person: (_sql, { id }) => Promise.resolve(id),
  fit: async (sql, { id }) => void (await refuseErasing(sql, id)),
  run: (tx, act, { id, reason }) => erasePerson(tx, act, id, reason, app.config.recordsKeptYears),
  shown: ({ keptUntil }) => ({ keptUntil }),
  told: ({ person }) => toldErased(app, person),
});
