import { DAYS } from "./rules_group_lines";
import type { SpreadRule, SwapRule } from "./schema_groups";

/** What a group's version says by class or instrument, as a form's field and a file's cell hold it. */

/** A line for each: "forex-major points -0.85 0.2 Wed" is unit, long, short and the triple day ("none": no such day). */
export const swapsText = (rules: readonly SwapRule[], between = "\n"): string =>
  rules.map(({ for: of, unit, long, short, tripleDay }) => [of, unit, long, short, tripleDay === null ? "none" : DAYS[tripleDay - 1]].join(" ")).join(between);

/** A line for each: "EUR/USD 0.8 fixed" is exactly so wide, "forex-minor 2.0" at least. */
export const spreadsText = (rules: readonly SpreadRule[], between = "\n"): string =>
  rules.map(({ for: of, spreadPips, fixed }) => `${of} ${spreadPips}${fixed ? " fixed" : ""}`).join(between);

/** The columns of a file of groups. What the file has no column for stays as it was. */
export const SHEET_COLUMNS = [
  { name: "id", title: "Group" },
  { name: "version", title: "Version" },
  { name: "name", title: "Name" },
  { name: "minimumDeposit", title: "Minimum deposit" },
  { name: "spreadPips", title: "Spread from" },
  { name: "spreads", title: "Spread by instrument" },
  { name: "commission", title: "Commission" },
  { name: "leverage", title: "Leverage" },
  { name: "swaps", title: "Swap" },
  { name: "swapFreeFee", title: "Swap-free" },
  { name: "isOpen", title: "Open to all" },
  { name: "countries", title: "Countries" },
] as const;
