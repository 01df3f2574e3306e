import { invalidField } from "./refusal";

/** Where a list goes on: after the row that a cursor names by its creation and its id. Opaque to callers. */
export type Placed = { id: string; createdAt: string };

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const cursorOf = ({ createdAt, id }: Placed): string => `${createdAt}_${id}`;

/** The place that a cursor names. Refuses (invalid) what `cursorOf` did not make. */
export function placeOf(cursor: string): { at: string; id: string } {
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (!at || !id) throw invalidField("cursor", "cursor is not valid.");
  return { at, id };
}

/** The cursor of the page after these rows; null where they are fewer than a page holds. */
export function nextOf(rows: readonly Placed[], limit: number | string): string | null {
  const last = rows.at(-1);
  return last && rows.length >= Number(limit) ? cursorOf(last) : null;
}
