import * as v from "valibot";
import { many } from "../platform/database/db";
import { refsOf, type Source } from "../proof/sources";

const headRow = v.strictObject({ last: v.number(), hash: v.string() });

/** The staff's book in the public log: its newest hash, which covers all before. */
export const loggedHead: Source = {
  note: "audit",
  newestOnly: true,
  async read(sql, told) {
    const rows = await many(headRow, sql`select id as last, hash from admin_actions where id = any(${refsOf(told)}::bigint[]) limit ${told.length}`);
    return new Map(rows.map((row) => [String(row.last), { kind: "audit", fields: row }]));
  },
};
