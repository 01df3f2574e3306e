import { groupDeeds, groupOpening } from "../accounts/commands_signed";
import { complianceDeeds, eraseDeed } from "../compliance/commands_signed";
import { promotionDeed } from "../funding/commands_promotions";
import { fundingDeeds } from "../funding/commands_signed";
import { confirmRole, declineRole } from "../identity/commands_roles";
import { DEED_NEEDS, rulesDeed, signatureRules } from "../identity/commands_signature_rules";
import { type Deed, declineDeed, doOrAsk, signDeed } from "../identity/commands_signatures";
import * as calls from "../identity/schema_signatures";
import { mayDo, mayNot, type Permission } from "../lib/permissions";
import { notFound, Refusal } from "../lib/refusal";
import type { Market } from "../market/market";
import type { Act, AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as corrections from "../trading/commands_corrections";
import { instrumentDeeds } from "../trading/commands_signed";
import type { Trading } from "../trading/trading";
import { keptIn, signaturesFor } from "./queries_signatures";

const refuseWithout = (act: Act, permission: Permission) => {
  if (!mayDo(act.admin, permission)) throw new Refusal("forbidden", mayNot(permission));
};

/** The staff's routes to what takes a second person: one queue for all of it, whatever keeps it, and the rules. */
export function signatureRoutes(app: AppContext, market: Market, trading: Trading): Routes {
  const { sql } = app;
  const rules = rulesDeed(app);
  const terms = [...Object.values(groupDeeds(app)), groupOpening(app), ...Object.values(instrumentDeeds(app, market))];
  const money = [...Object.values(fundingDeeds(app, market)), promotionDeed(app)];
  const deeds = [...money, ...Object.values(complianceDeeds(app)), ...terms, eraseDeed(app), rules] as unknown as Deed[];
  const parts = { app, trading };

  const decide = async (act: Act, id: string, ways: Record<"signatures" | "roles" | "corrections", () => Promise<unknown>>) => {
    const place = await keptIn(sql, id);
    if (place === null) throw notFound();
    if (place === "roles") refuseWithout(act, DEED_NEEDS.role);
    if (place === "corrections") refuseWithout(act, DEED_NEEDS.correction);
    return ways[place]();
  };
  return new Routes(app, import.meta.path)
    .admin("signatures.read", calls.listSignatures, ({ me, query }) => signaturesFor(sql, me, query.status))
    .decision("signatures.sign", calls.signDeed, async ({ act, params: { id } }) => {
      const done = await decide(act, id, {
        signatures: () => signDeed(app, deeds, act, id),
        roles: () => confirmRole(app, act, id),
        corrections: async () => (await corrections.confirm(parts, act, id, null)).data,
      });
      return done as object;
    })
    .decision("signatures.sign", calls.declineDeed, async ({ act, params: { id }, body }) => {
      const reason = body.reason ?? "";
      await decide(act, id, {
        signatures: () => declineDeed(app, act, id, reason),
        roles: () => declineRole(app, act, id, reason),
        corrections: () => corrections.decline(parts, act, id, reason, null),
      });
      return { status: "declined" as const, id, reason };
    })
    .admin("signatures.read", calls.listSignatureRules, () => signatureRules(sql))
    .decision("signatures.rules", calls.setSignatureRules, ({ act, body }) => {
      const asked = { reason: body.reason, rules: body.rules.map((rule) => ({ ...rule, above: rule.above === null ? null : String(rule.above) })) };
      return doOrAsk(app, act, rules, { body: asked, reason: body.reason }, async (seen) => {
        const done = await sql.begin((tx) => rules.run(tx, act, seen));
        rules.told?.(done);
        return done;
      });
    });
}
