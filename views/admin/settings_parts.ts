import { may } from "../../src/lib/may";
import { type Entitled, mayDo, type Permission } from "../../src/lib/permissions";
import type { Choice } from "../ui/staff/Filters";

/** The parts of the Settings tab, each with what its reader must be allowed to see. */
const PARTS = [
  { id: "roles", label: "Roles", needs: "roles.read" },
  { id: "instruments", label: "Instruments", needs: "instruments.read" },
  { id: "groups", label: "Groups", needs: "groups.read" },
  { id: "promotions", label: "Promotions", needs: "promotions.read" },
  { id: "texts", label: "Texts", needs: "texts.read" },
  { id: "claims", label: "Claims", needs: "texts.read" },
  { id: "brand", label: "Brand", needs: "texts.read" },
  { id: "signatures", label: "Signatures", needs: "signatures.read" },
] as const satisfies { id: string; label: string; needs: Permission }[];

export type SettingsPart = (typeof PARTS)[number]["id"];
export const settingsNeeds: readonly Permission[] = PARTS.map(({ needs }): Permission => needs);
/** The part that an address names; where it names none, the first that its reader sees. */
export const settingsPartOf = (name: string | null, who: Entitled): SettingsPart =>
  PARTS.find(({ id }) => id === name)?.id ?? PARTS.find(({ needs }) => mayDo(who, needs))?.id ?? "roles";
export const settingsPartNeeds = (part: SettingsPart): Permission => PARTS.find(({ id }) => id === part)?.needs ?? "roles.read";
/** Those that the page's reader sees. */
export const settingsParts = (): Choice[] => PARTS.filter(({ needs }) => may(needs)).map(({ id, label }) => ({ id, label }));
