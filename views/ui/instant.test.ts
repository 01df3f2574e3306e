import { expect, test } from "bun:test";
import { instantOrNone } from "../../src/lib/shapes";
import { fit } from "../../src/lib/fit";
import { momentField } from "./instant";

test.each(["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:30.000Z", "2026-03-01T12:30:00.250Z", "2026-03-01T00:00:59.999Z"])(
  "a field that began as %s and is sent unchanged says the same instant",
  (iso) => expect(fit(instantOrNone, momentField(iso).defaultValue)).toEqual({ ok: true, value: iso }),
);

test("a field of a full minute has no seconds, one of nothing is empty", () => {
  expect([momentField("2026-03-01T12:00:00.000Z").defaultValue, momentField(null).defaultValue]).toEqual(["2026-03-01T12:00", ""]);
});
