/**
 * What this tab keeps over a reload for the person signed in: one entry in the tab's own storage. The page after signing out deletes it
 * (`scripts/landing.ts`), and so does another person's page. Where the browser forbids storage it lasts for the page.
 */
const KEPT = "kept";

/** What the tab was about to close, by this name. */
export const UNSENT = "closings";

type Kept = { person: string; [name: string]: unknown };
let here: Kept | null = null;

function load(): Kept {
  const person = document.documentElement.dataset.person ?? "";
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
    if (stored?.person === person) return stored;
    sessionStorage.removeItem(KEPT);
  } catch {
    // Forbidden, or not of our making.
  }
  return { person };
}

/** What was kept under this name; undefined where there is nothing. It may be an older program's: look before you use it. */
export const kept = (name: string): unknown => (here ??= load())[name];

/** Keeps a value that survives JSON; null throws it away. */
export function keep(name: string, value: unknown): void {
  here ??= load();
  if (value === null) Reflect.deleteProperty(here, name);
  else here[name] = value;
  try {
    if (Object.keys(here).length > 1) sessionStorage.setItem(KEPT, JSON.stringify(here));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // It then lasts for this page only.
  }
}

/** Looks at the storage anew, as a page does that is loaded; for tests. */
export const forgetKept = () => (here = null);
