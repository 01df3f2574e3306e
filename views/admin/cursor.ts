/** The cursor of the page after these rows, as the server's lists take it; null where these are the last. */
export function nextOf(rows: readonly { id: string; createdAt: string }[], limit: string): string | null {
  const last = rows.at(-1);
  return last && rows.length >= Number(limit) ? `${last.createdAt}_${last.id}` : null;
}
