import type { AppContext } from "../platform/app_context";
import type { Sql, Tx } from "../platform/database/db";
import { mayDo, type Permission } from "../lib/permissions";
import { conflict } from "../lib/refusal";
import type { Deed } from "./commands_signatures";
import { othersWith } from "./commands_standing";
import { type RuledDeed, ruledDeeds, type SignatureRule, type SignedDeed, signedDeeds } from "./schema_signatures";

/** What one must be allowed to do a deed, and so to sign it. */
export const DEED_NEEDS: Record<SignedDeed, Permission> = {
  deposit: "deposits.decide",
  withdrawal: "withdrawals.decide",
  wallet: "wallets.change",
  compliance: "compliance.change",
  erase: "people.erase",
  costs: "groups.change",
  margin: "instruments.change",
  promotion: "promotions.change",
  correction: "trades.correct",
  role: "roles.give",
  rules: "signatures.rules",
};
/** These sign at doors of their own too, which take no other permission. */
const OWN_DOORS: readonly SignedDeed[] = ["correction", "role"];

type Stored = { deed: RuledDeed; isOn: boolean; above: string | null; version: string };
const stored = (sql: Sql): Promise<Stored[]> =>
  Promise.resolve(sql<Stored[]>`
    select deed, is_on as "isOn", above::text as above, version_of(jsonb_build_object('isOn', is_on, 'above', above)) as version
    from signature_rules order by deed limit 20
  `);

/** Every deed that takes two, or could; with how many active people may sign it. */
export async function signatureRules(sql: Sql): Promise<SignatureRule[]> {
  const rules = await stored(sql);
  return Promise.all(
    signedDeeds.map(async (deed) => {
      const able = await othersWith(sql, DEED_NEEDS[deed], []);
      const signers = able.filter((each) => OWN_DOORS.includes(deed) || mayDo(each, "signatures.sign")).length;
      const fixed = !(ruledDeeds as readonly string[]).includes(deed);
      const rule = rules.find((each) => each.deed === deed);
      return { deed, isOn: fixed || (rule?.isOn ?? false), above: rule?.above ?? null, fixed, signers, version: rule?.version ?? "none" };
    }),
  );
}

/** Whether what the rule of this deed means waits for somebody else, where this person asks for it. */
export async function waitsForOther(sql: Sql, deed: RuledDeed, me: string): Promise<boolean> {
  const rule = (await stored(sql)).find((each) => each.deed === deed);
  return (rule?.isOn ?? false) && (await othersWith(sql, DEED_NEEDS[deed], [me])).some((other) => mayDo(other, "signatures.sign"));
}

type Body = { rules: { deed: RuledDeed; isOn: boolean; above: string | null; version?: string | undefined }[]; reason: string };
const stateOf = (rules: readonly Pick<Stored, "deed" | "isOn" | "above">[]) =>
  Object.fromEntries(rules.map(({ deed, isOn, above }) => [deed, isOn ? (above === null ? "always" : `above ${above}`) : "off"]));

/** Refuses (conflict) a rule of which not the version stands that was looked at; undefined: whatever stands. */
async function refuseChanged(sql: Sql, { rules }: Body): Promise<void> {
  const now = await stored(sql);
  if (rules.some(({ deed, version }) => version !== undefined && now.some((rule) => rule.deed === deed && rule.version !== version)))
    throw conflict("This rule was changed meanwhile. Look at it again before you change it.");
}
/** Changes come one after the other. */
const hold = (tx: Tx) => tx`select from signature_rules order by deed limit 20 for update`;

/** The change of the rules themselves: else whoever could sign alone would first switch them off. */
export const rulesDeed = (app: AppContext): Deed<Body, SignatureRule[]> => ({
  kind: "rules.change",
  deed: "rules",
  permission: "signatures.rules",
  object: () => "rules",
  title: () => "Change what takes a second signature",
  before: async (sql, { rules }) => stateOf((await stored(sql)).filter(({ deed }) => rules.some((rule) => rule.deed === deed))),
  after: ({ rules }) => stateOf(rules),
  seen: async (sql, { rules, reason }) => {
    const now = await stored(sql);
    return { reason, rules: rules.map((rule) => ({ ...rule, version: rule.version ?? now.find(({ deed }) => deed === rule.deed)?.version })) };
  },
  fit: refuseChanged,
  run: async (tx, act, body) => {
    await hold(tx);
    await refuseChanged(tx, body);
    const { rules, reason } = body;
    const before = stateOf((await stored(tx)).filter(({ deed }) => rules.some((rule) => rule.deed === deed)));
    for (const { deed, isOn, above } of rules)
      await tx`update signature_rules set is_on = ${isOn}, above = ${above}::numeric, updated_at = clock_timestamp() where deed = ${deed}`;
    await tx`
      select audit_append(
        ${act.admin.id}, null, 'setting.signatures', '{}', ${JSON.stringify(before)}::text::json, ${JSON.stringify(stateOf(rules))}::text::json, ${reason},
        ${act.ip}, ${act.userAgent}
      )
    `;
    return signatureRules(tx);
  },
  told: () => app.bus.publish("staff", { about: "signature" }),
});
