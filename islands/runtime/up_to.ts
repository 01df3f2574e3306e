import { nextOf, type Placed } from "../../src/lib/cursor";

/** A call's own largest page. */
const LIMIT = "100";

/** The first `wanted` rows of a list, page by page, or all where there are fewer. */
export async function upTo<R extends Placed>(wanted: number, load: (page: { limit: string; cursor?: string }) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | null = null;
  do {
    const page: R[] = await load({ limit: LIMIT, ...(cursor ? { cursor } : {}) });
    rows.push(...page);
    cursor = nextOf(page, LIMIT);
  } while (cursor && rows.length < wanted);
  return rows;
}
