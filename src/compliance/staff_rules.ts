import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { doOrAsk } from "../identity/commands_signatures";
import * as commands from "./commands_rules";
import { complianceDeeds } from "./commands_signed";
import { jurisdictions, levelRules } from "./queries_rules";
import * as calls from "./schema_rules";

/** The staff's routes to what levels open and what countries ask for. */
export const ruleRoutes = (app: AppContext) => {
  const deeds = complianceDeeds(app);
  return new Routes(app, import.meta.path)
    .admin("kyc.read", calls.listLevels, () => levelRules(app.sql))
    .decision("compliance.change", calls.setLevel, ({ act, params, body }) =>
      doOrAsk(app, act, deeds.level, { body: { level: params.level, ...body } }, (seen) => commands.putLevel(app, act, params.level, seen)),
    )
    .admin("kyc.read", calls.listJurisdictions, () => jurisdictions(app.sql))
    .decision("compliance.change", calls.setJurisdiction, ({ act, body }) =>
      doOrAsk(app, act, deeds.country, { body }, (seen) => commands.putJurisdiction(app, act, seen)),
    )
    .decision("compliance.change", calls.removeJurisdiction, ({ act, body }) =>
      doOrAsk(app, act, deeds.drop, { body }, (seen) => commands.dropJurisdiction(app, act, seen)),
    )
    .decision("compliance.change", calls.applyPreset, ({ act, body }) =>
      doOrAsk(app, act, deeds.preset, { body }, (seen) => commands.putEsmaRetail(app, act, seen)),
    )
    .decision("kyc.decide", calls.setCountry, ({ act, params, body }) => commands.putCountry(app, act, params.id, body.country, body.reason))
    .user(calls.sayCountry, ({ me, body, context }) => commands.sayOwnCountry(app, context, me, body.country));
};
