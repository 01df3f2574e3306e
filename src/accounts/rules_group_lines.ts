/** What a group's version says by class or instrument, as it is written in a form's field and a file's cell: read here, written in `rules_groups`. */

export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"];

/** What the lines of nights say, to be held to the shape of a rule; lines may be parted by semicolons, too. */
export const swapsIn = (text: string): unknown[] =>
  linesIn(text).map(([of = "", unit = "", long = "", short = "", day]) => {
    const triple =
      day === undefined
        ? {}
        : { tripleDay: day.toLowerCase() === "none" ? null : DAYS.findIndex((name) => name.toLowerCase() === day.slice(0, 3).toLowerCase()) + 1 };
    return { for: of, unit: unit.toLowerCase(), long, short, ...triple };
  });

/** What the lines of spreads say, likewise. A third word that is none is no answer to whether it is fixed. */
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
