import { afterAll, beforeAll, expect } from "bun:test";
import { type TestApp, testApp } from "./app";
import { openStaff } from "./browser";
import { holdFirst } from "./instruments";

type StaffHouse = { app: TestApp; staff: Awaited<ReturnType<typeof openStaff>> };

/** A program with two pairs quoted, and browsers of staff, for all tests of a file, which change instruments; it ends without a fault. */
export function inStaffHouse(take: (house: StaffHouse) => void): void {
  let staff: StaffHouse["staff"];
  beforeAll(async () => {
    const app = await testApp();
    staff = await openStaff(app);
    await app.quote("EUR/USD", "1.10000", "1.10010");
    await app.quote("GBP/USD", "1.30000", "1.30010");
    take({ app, staff });
  });
  afterAll(async () => {
    expect(await staff.end()).toEqual([]);
    holdFirst();
  });
}
