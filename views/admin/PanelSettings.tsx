import type { ReactNode } from "react";
import { panelTab } from "../ui/staff/address";
import { StatusLinks } from "../ui/staff/Filters";
import { type SettingsPart, settingsParts } from "./settings_parts";

/** The Settings tab: its parts, and the one that is shown. */
export const PanelSettings = ({ part, children }: { part: SettingsPart; children: ReactNode }) => {
  const parts = settingsParts();
  return (
    <div className="flex flex-col gap-3 pt-1">
      {parts.length > 1 ? <StatusLinks at={panelTab("settings")} query={{ view: part }} name="view" choices={parts} label="Settings" /> : null}
      {children}
    </div>
  );
};
