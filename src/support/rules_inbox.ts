import type { InboxRow } from "./schema_inbox";

type Placed = Pick<InboxRow, "place" | "id">;

/** Where the inbox goes on after a row. It holds the row's own place, since one that was answered meanwhile has another. */
export const inboxCursor = ({ place, id }: Placed): string => `${place}_${id}`;

/** The cursor of the page after these rows; null where they are fewer than a page holds. */
export function nextInbox(rows: readonly Placed[], limit: number | string): string | null {
  const last = rows.at(-1);
  return last && rows.length >= Number(limit) ? inboxCursor(last) : null;
}
