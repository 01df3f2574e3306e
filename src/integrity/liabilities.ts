import { randomBytes, randomInt } from "node:crypto";
import * as v from "valibot";
import { money } from "../lib/money";
import { many, type Sql } from "../platform/database/db";
import { NODE_BYTES, owedLeaf, type SumNode, sumTree } from "../proof/rules_sums";

/** A tree has so many leaves at least, and twice as many as there are clients: how many they are shows only as a power of two. */
const LEAST_LEAVES = 1_024;

const sizeFor = (clients: number) => Math.max(LEAST_LEAVES, 2 ** Math.ceil(Math.log2(Math.max(1, clients) * 2)));

/** As many different places below `size`, in random order. */
function placesFor(count: number, size: number): number[] {
  const all = Array.from({ length: size }, (_, n) => n);
  for (let n = 0; n < count; n++) {
    const other = randomInt(n, size);
    [all[n], all[other]] = [all[other] as number, all[n] as number];
  }
  return all.slice(0, count);
}

const owedRow = v.strictObject({ user: v.string(), owed: v.string() });
const thereRow = v.strictObject({ there: v.boolean() });

/** Lets others run; a tree of many clients takes a while. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes the day's (UTC) tree of what is owed to each client, unless there is one; its root goes into the log in the same transaction. */
export async function takeLiabilities(sql: Sql, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const [known] = await many(thereRow, sql`select exists (select from liability_days where day = ${day}::date) as there limit 1`);
  if (known?.there) return;
  const clients = await many(owedRow, sql`select user_id as user, owed::numeric(15, 2) as owed from liabilities_now() group by 1, 2`);
  const size = sizeFor(clients.length);
  const places = placesFor(clients.length, size);
  const salts = clients.map(() => new Uint8Array(randomBytes(32)));
  const leaves = Array.from({ length: size }, (): SumNode => ({ hash: new Uint8Array(randomBytes(32)), sum: 0 }));
  for (const [n, { user, owed }] of clients.entries()) {
    if (n % 1_024 === 0) await breathe();
    leaves[places[n] as number] = owedLeaf(salts[n] as Uint8Array, { kind: "owed", v: 1, day, client: user, owed });
  }
  const nodes = await sumTree(leaves, breathe);
  const root = nodes.subarray(-NODE_BYTES);
  const total = new DataView(root.buffer, root.byteOffset).getBigUint64(32);
  await sql`
    select liabilities_keep(
      ${day}::date, ${now.toISOString()}, ${money(total)}, ${size}, ${Buffer.from(root.subarray(0, 32))}, ${Buffer.from(nodes)},
      ${clients.map(({ user }) => user)}::uuid[], ${places}::integer[], ${clients.map(({ owed }) => owed)}::numeric[],
      ${salts.map((salt) => Buffer.from(salt).toString("hex"))}::text[]
    )
  `;
}
