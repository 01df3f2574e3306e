import * as v from "valibot";
import { many } from "../platform/database/db";
import { refsOf, type Source } from "../proof/sources";

const dayRow = v.strictObject({ day: v.string(), total: v.string(), size: v.number(), root: v.string(), at: v.string() });

/** What the public log tells of what is owed to clients: each day's total, and the root of its tree. */
export const loggedLiabilities: Source = {
  note: "liabilities",
  async read(sql, told) {
    const rows = await many(
      dayRow,
      sql`
        select day::text, total, size, encode(root, 'base64') as root, taken_at as at from liability_days
        where day = any(${refsOf(told)}::date[]) limit ${told.length}
      `,
    );
    return new Map(rows.map((row) => [row.day, { kind: "liabilities", fields: row }]));
  },
};
