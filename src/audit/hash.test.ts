import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "../testing/database";

const { sql, drop } = await testDatabase();
afterAll(drop);

test("whoever reads the whole staff's book has each entry's hash as a part of the statement, and not as a function that is called for each", async () => {
  const plan = await sql<{ "QUERY PLAN": string }[]>`explain verbose select audit_hash(admin_actions) from admin_actions`;
  const said = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(said).toContain("sha256(convert_to((json_build_array(previous_hash, id,");
  expect(said).not.toContain("audit_hash");
});
