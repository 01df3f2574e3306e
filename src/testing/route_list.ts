import { join, relative } from "node:path";
import type { Route } from "../platform/http/routes";

const ROOT = join(import.meta.dir, "../..");
/** Each list of `src/routes.txt`, by the kind of its routes. */
const LISTS: [kind: Route["kind"], heading: string][] = [
  ["call", "Calls of the API"],
  ["page", "Pages"],
  ["form", "Forms that work without scripts"],
  ["file", "Files"],
];
const order = new Intl.Collator("en");

/** The text of `src/routes.txt`: every route with its method, path, lock and the file that adds it. */
export function routesText(routes: readonly Route[]): string {
  const width = Math.max(...routes.map(({ path }) => path.length));
  const rights = Math.max(...routes.map(({ permission = "" }) => permission.length));
  const lists = LISTS.map(([kind, heading]) => {
    const listed = routes.filter((route) => route.kind === kind).sort((a, b) => order.compare(a.path, b.path) || order.compare(a.method, b.method));
    const lines = listed.map(
      ({ method, path, lock, permission, file }) =>
        `${method.padEnd(6)}  ${path.padEnd(width)}  ${lock.padEnd(5)}  ${kind === "call" ? `${(permission ?? "").padEnd(rights)}  ` : ""}${relative(ROOT, file)}\n`,
    );
    return `${heading} (${listed.length})\n\n${lines.join("")}`;
  });
  return ["Every route: method, path, lock, the permission that it takes of staff, and the file that adds it. Written by scripts/routes.ts.\n", ...lists].join(
    "\n",
  );
}
