import LevelRules from "../../islands/compliance/LevelRules";
import Jurisdictions from "../../islands/compliance/Jurisdictions";
import type { Jurisdiction, LevelRule } from "../../src/compliance/schema_rules";
import { Icon } from "../ui/Icon";
import { panelTab } from "../ui/staff/address";

/** What levels of verification open, and what holds in which country. */
export const RulesPage = ({ levels, jurisdictions }: { levels: LevelRule[]; jurisdictions: Jurisdiction[] }) => (
  <div className="flex max-w-[72rem] flex-col gap-8 pt-2">
    <a
      href={panelTab("kyc")}
      className="inline-flex min-h-11 items-center gap-1 self-start text-table text-accent underline-offset-4 hover:underline md:min-h-9"
    >
      <Icon name="arrowLeft" className="size-4" />
      Documents
    </a>
    <LevelRules levels={levels} />
    <Jurisdictions jurisdictions={jurisdictions} />
  </div>
);
