/** In which search, filter and order the tickets were listed last in this tab, so that the way back from one leads there. */
const KEY = "tickets-listed";

export function keepList(search: string) {
  try {
    sessionStorage.setItem(KEY, search);
  } catch {
    // Without storage the way back leads to all tickets.
  }
}

/** The address of that list; `otherwise` where none was seen. */
export function listBefore(otherwise: string): string {
  try {
    const search = sessionStorage.getItem(KEY);
    return search?.startsWith("?") ? `/admin${search}` : otherwise;
  } catch {
    return otherwise;
  }
}
