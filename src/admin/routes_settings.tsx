import type { ReactNode } from "react";
import { NotAllowed } from "../../views/admin/NotAllowed";
import { PanelSettings } from "../../views/admin/PanelSettings";
import { type SettingsPart, settingsPartNeeds, settingsPartOf } from "../../views/admin/settings_parts";
import { GroupsPage } from "../../views/accounts/GroupsPage";
import { PromotionsPage } from "../../views/funding/PromotionsPage";
import { InstrumentsPage } from "../../views/trading/InstrumentsPage";
import { BrandPage } from "../../views/texts/BrandPage";
import { ClaimsPage } from "../../views/texts/ClaimsPage";
import { TextsPage } from "../../views/texts/TextsPage";
import { RolesPage } from "../../views/identity/RolesPage";
import { SignaturesPage } from "../../views/identity/SignaturesPage";
import { signatureRules, waitsForOther } from "../identity/commands_signature_rules";
import { staffRoles } from "../identity/queries_staff";
import { groupVersions } from "../accounts/queries_groups";
import { staffPromotions } from "../funding/queries_promotions";
import { staffInstruments } from "../trading/queries_instruments";
import { brandNow } from "../texts/brand";
import { staffTexts } from "../texts/queries";
import { staffLetters } from "../texts/queries_letters";
import { houseClaims } from "../texts/queries_claims";
import { listSignatures } from "../identity/schema_signatures";
import { queryOf } from "../lib/fit";
import { mayDo } from "../lib/permissions";
import type { AppContext, Me } from "../platform/app_context";
import { noticeHours } from "./queries_panel";
import { signaturesFor } from "./queries_signatures";

type Content = (app: AppContext, asked: URLSearchParams, me: Me) => Promise<ReactNode>;

/** What each part of the Settings tab shows for the query of its address. */
const CONTENT: Record<SettingsPart, Content> = {
  roles: async ({ sql }) => <RolesPage roles={await staffRoles(sql)} />,
  instruments: async ({ sql }) => <InstrumentsPage instruments={await staffInstruments(sql)} />,
  groups: async ({ sql }) => <GroupsPage versions={await groupVersions(sql)} notice={await noticeHours(sql)} />,
  async promotions({ sql }, _, me) {
    const [promotions, waits] = await Promise.all([staffPromotions(sql), waitsForOther(sql, "promotion", me.id)]);
    return <PromotionsPage promotions={promotions} mayChange={mayDo(me, "promotions.change")} waits={waits} />;
  },
  texts: async ({ sql }, _, me) => <TextsPage texts={await staffTexts(sql)} letters={await staffLetters(sql)} mayChange={mayDo(me, "texts.change")} />,
  claims: async ({ sql }, _, me) => <ClaimsPage claims={await houseClaims(sql)} mayChange={mayDo(me, "texts.change")} />,
  brand: async (app, _, me) => <BrandPage brand={await brandNow(app)} mayChange={mayDo(me, "texts.change")} />,
  async signatures({ sql }, asked, me) {
    const { status } = queryOf(listSignatures.query, new URLSearchParams([...asked].filter(([name]) => name === "status")));
    const [signatures, rules] = await Promise.all([signaturesFor(sql, me, status), signatureRules(sql)]);
    return <SignaturesPage {...{ signatures, rules, status }} me={me.id} />;
  },
};

/** The Settings tab, as its address asks for it: `view` names the part. */
export async function settingsTab(app: AppContext, asked: URLSearchParams, me: Me): Promise<ReactNode> {
  const part = settingsPartOf(asked.get("view"), me);
  const needs = settingsPartNeeds(part);
  return <PanelSettings part={part}>{mayDo(me, needs) ? await CONTENT[part](app, asked, me) : <NotAllowed permission={needs} />}</PanelSettings>;
}
