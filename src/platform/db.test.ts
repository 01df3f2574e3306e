import { expect, test } from "bun:test";
import { faultOf } from "../testing/scenarios";
import { connect, isUnavailable } from "./db";

test("a database whose name leads nowhere, or whose port is shut, is away and no fault of ours", async () => {
  for (const address of ["postgres://a:b@nowhere.invalid:5432/x", "postgres://a:b@127.0.0.1:1/x"]) {
    const sql = connect(address, { max: 1 });
    const fault = await faultOf(sql`select 1`);
    expect(fault).not.toBeNull();
    expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
    await sql.end({ timeout: 0 });
  }
  for (const other of [null, undefined, "ENOTFOUND", new Error("x"), { code: 5 }, { code: "23505" }, { code: "ENOSPC" }])
    expect(isUnavailable(other)).toBe(false);
});
