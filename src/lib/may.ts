import type { Permission } from "./permissions";

/** What the reader of the page that is being drawn may do. Drawing never awaits, so there is only one at a time. */
let shown: readonly string[] = [];
export function showFor(permissions: readonly Permission[]) {
  shown = permissions;
}

/**
 * Whether the page's reader may do this: for what is drawn, on the server and in the browser alike, so that nobody sees a button that refuses.
 * The server asks again at each door. In the browser the page's first element says it; where none does, as on a part drawn alone in a test, all is shown.
 */
export function may(permission: Permission): boolean {
  if (typeof document === "undefined") return shown.includes(permission);
  const said = document.documentElement.dataset.may;
  return said === undefined || said.split(" ").includes(permission);
}
export const mayAny = (permissions: readonly Permission[]): boolean => permissions.some(may);
