/** What can be measured alone, named as in bench/results.json, in the order in which it is measured. */
const PARTS = [
  "starts",
  "memory",
  "weights",
  "browser",
  "proofs",
  "pages",
  "signedIn",
  "orders",
  "logCost",
  "money",
  "statements",
  "engine",
  "alerts",
  "instances",
  "streams",
  "panel",
  "uploads",
  "log",
] as const;
type Part = (typeof PARTS)[number];

/** `npm run bench -- orders money` measures these parts alone; without names, all. */
const chosen = process.argv.slice(2);

/** Ends the program with status 2 where an unknown part is asked for. */
export function checkParts(): void {
  const unknown = chosen.filter((name) => !PARTS.includes(name as Part));
  if (unknown.length === 0) return;
  console.error(`The benchmarks have no part ${unknown.join(", ")}. There are: ${PARTS.join(", ")}; or, each by itself, soak [minutes] and growth [scale].`);
  process.exit(2);
}

/** Measures a part where it is wanted. */
export const part = async <T>(name: Part, run: () => Promise<T>): Promise<T | null> => (chosen.length === 0 || chosen.includes(name) ? run() : null);
