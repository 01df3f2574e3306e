import type { InferOutput } from "valibot";
import { EEA } from "../lib/countries";
import type { BodyOf } from "../lib/endpoint";
import type { Act, AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { jurisdictions, levelRules } from "./queries_rules";
import type { applyPreset, Jurisdiction, jurisdictionBody, LevelRule, removeJurisdiction, setLevel } from "./schema_rules";

/** What the operator sets, each change with its line in the audit book. */

/** Refuses (conflict) a version that does not stand any more. */
export async function putLevel({ sql, bus }: AppContext, act: Act, level: number, rule: InferOutput<(typeof setLevel)["body"]>): Promise<LevelRule[]> {
  const { liveTrading, bankDeposits, cardDeposits, cryptoDeposits, withdrawnDay, withdrawnMonth, version = null } = rule;
  const row = {
    level,
    live_trading: liveTrading,
    bank_deposits: bankDeposits,
    card_deposits: cardDeposits,
    crypto_deposits: cryptoDeposits,
    withdrawn_day: withdrawnDay,
    withdrawn_month: withdrawnMonth,
  };
  await sql`select level_rules_set(${act.admin.id}, ${version}, ${JSON.stringify([row])}::text::json, ${act.ip}, ${act.userAgent})`;
  bus.publish("staff", { about: "setting" });
  return levelRules(sql);
}

/** Refuses (conflict) a country of which not the version stands that was `seen`; null: whatever stands. */
async function put({ sql, bus }: AppContext, act: Act, country: string, seen: string | null, rules: object | null): Promise<Jurisdiction[]> {
  const text = rules && JSON.stringify(rules);
  await sql`select jurisdictions_set(${act.admin.id}, ${[country]}, ${seen}, ${text}::text::jsonb, ${act.ip}, ${act.userAgent})`;
  bus.publish("staff", { about: "setting" });
  return jurisdictions(sql);
}

export function putJurisdiction(app: AppContext, act: Act, { country, version, ...rules }: InferOutput<typeof jurisdictionBody>) {
  const { isServed, leverageMajor, leverageMinor, leverageCrypto, promotions, warning } = rules;
  return put(app, act, country, version ?? null, {
    is_served: isServed,
    leverage_major: leverageMajor,
    leverage_minor: leverageMinor,
    leverage_crypto: leverageCrypto,
    has_promotions: promotions,
    warning,
  });
}

export const dropJurisdiction = (app: AppContext, act: Act, { country, version }: InferOutput<(typeof removeJurisdiction)["body"]>) =>
  put(app, act, country, version ?? null, null);

/** What the European regulator asks for of whoever serves retail clients (ESMA's decisions of 2018, kept by the countries since). */
const ESMA_RETAIL = {
  leverage_major: 30,
  leverage_minor: 20,
  leverage_crypto: 2,
  has_promotions: false,
  warning:
    "CFDs are complex instruments and come with a high risk of losing money rapidly due to leverage. You should consider whether you understand how CFDs work and whether you can afford to take the high risk of losing your money.",
};
/** By country; null: they were not looked at. */
export const seenOf = (versions: BodyOf<typeof applyPreset>["versions"]): Record<string, string> | null =>
  versions ? Object.fromEntries(versions.map(({ country, version }) => [country, version])) : null;
/** Refuses (conflict) where one of its countries stands otherwise than it was seen. */
export async function putEsmaRetail({ sql, bus }: AppContext, act: Act, { versions }: BodyOf<typeof applyPreset>): Promise<Jurisdiction[]> {
  const seen = seenOf(versions);
  await sql`
    select jurisdictions_preset(
      ${act.admin.id}, ${EEA}, ${seen && JSON.stringify(seen)}::text::jsonb, ${JSON.stringify(ESMA_RETAIL)}::text::jsonb, ${act.ip}, ${act.userAgent}
    )
  `;
  bus.publish("staff", { about: "setting" });
  return jurisdictions(sql);
}

export async function sayOwnCountry({ sql, bus }: AppContext, { ip, userAgent }: RequestContext, me: Me, country: string): Promise<{ country: string }> {
  await sql`select country_set(${me.id}, ${me.id}, ${country}, '', ${ip}, ${userAgent})`;
  bus.publish("staff", { about: "person" });
  return { country };
}

export async function putCountry({ sql, bus }: AppContext, act: Act, userId: string, country: string, reason: string): Promise<{ country: string }> {
  await sql`select country_set(${act.admin.id}, ${userId}, ${country}, ${reason}, ${act.ip}, ${act.userAgent})`;
  bus.publish("staff", { about: "person" });
  bus.publish("standing", { userId });
  return { country };
}
