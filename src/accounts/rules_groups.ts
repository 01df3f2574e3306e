import type { SpreadRule, SwapRule } from "./schema_groups";

/** What a group's version says by class or instrument, as a form's field and a file's cell hold it. */

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"];

/** A line for each: "forex-major points -0.85 0.2 Wed" is unit, long, short and the triple day ("none": no such day). */
export const swapsText = (rules: readonly SwapRule[], between = "\n"): string =>
  rules.map(({ for: of, unit, long, short, tripleDay }) => [of, unit, long, short, tripleDay === null ? "none" : DAYS[tripleDay - 1]].join(" ")).join(between);

/** What such lines say, to be held to the shape of a rule; lines may be parted by semicolons, too. */
export const swapsIn = (text: string): unknown[] =>
  linesIn(text).map(([of = "", unit = "", long = "", short = "", day]) => {
    const triple =
      day === undefined
        ? {}
        : { tripleDay: day.toLowerCase() === "none" ? null : DAYS.findIndex((name) => name.toLowerCase() === day.slice(0, 3).toLowerCase()) + 1 };
    return { for: of, unit: unit.toLowerCase(), long, short, ...triple };
  });

/** A line for each: "EUR/USD 0.8 fixed" is exactly so wide, "forex-minor 2.0" at least. */
export const spreadsText = (rules: readonly SpreadRule[], between = "\n"): string =>
  rules.map(({ for: of, spreadPips, fixed }) => `${of} ${spreadPips}${fixed ? " fixed" : ""}`).join(between);

/** What such lines say, to be held to the shape of a rule. A third word that is none is no answer to whether it is fixed. */
export const spreadsIn = (text: string): unknown[] =>
  linesIn(text).map(([of = "", spreadPips = "", third]) => ({
    for: of,
    spreadPips,
    ...(third === undefined ? {} : { fixed: third.toLowerCase() === "fixed" ? true : third }),
  }));

const linesIn = (text: string): string[][] =>
  text
    .split(/[;\n]/)
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first);

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
