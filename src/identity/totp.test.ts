import { describe, expect, test } from "bun:test";
import { correction, generate } from "lean-qr/nano";
import { base32, codeOf, keyAddress, newSecret, stepAt, stepsOf } from "./totp";

const SECRET = base32(new TextEncoder().encode("12345678901234567890"));

test("base 32 is that of RFC 4648", () => {
  const encoded = (text: string) => base32(new TextEncoder().encode(text));
  expect(["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(encoded)).toEqual(["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]);
});

/** Appendix B of RFC 6238: seconds, and the last six of its eight digits. */
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %d s the code is %s", (seconds, code) => {
  expect(codeOf(SECRET, stepAt(seconds * 1000))).toBe(code);
});

/** Appendix D of RFC 4226: the counters from 0. */
test("a code belongs to its counter", () => {
  const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
  expect(codes.map((_, counter) => codeOf(SECRET, counter))).toEqual(codes);
});

describe("a code counts", () => {
  const now = 1_700_000_010_000;
  const at = stepAt(now);
  test.each([-1, 0, 1])("%d steps away", (away) => {
    expect(stepsOf(SECRET, codeOf(SECRET, at + away), now)).toEqual([at + away]);
  });
  test.each([-2, 2])("not %d steps away", (away) => {
    expect(stepsOf(SECRET, codeOf(SECRET, at + away), now)).toEqual([]);
  });
  test("not with a secret of somebody else's", () => {
    expect(stepsOf(SECRET.replace("G", "H"), codeOf(SECRET, at), now)).toEqual([]);
  });
});

test("a secret has 160 bits, and each is another", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true);
  expect(new Set(secrets).size).toBe(100);
});

describe("the address for the app", () => {
  test("names who it is and where", () => {
    expect(keyAddress("Halyard", "ada+x@example.test", SECRET)).toBe(`otpauth://totp/Halyard:ada%2Bx%40example.test?secret=${SECRET}&issuer=Halyard`);
  });
  test.each([
    ["the longest names", "B".repeat(300), `${"a".repeat(64)}@${"b".repeat(185)}.test`],
    ["names of foreign letters", "Морской узел 🚢".repeat(9), `${"%".repeat(64)}@example.test`],
    ["a name with a colon", "A: B", "a@b.test"],
  ])("fits into a QR code with %s", (_, brand, email) => {
    const address = keyAddress(brand, email, SECRET);
    // 57 modules a side are what a phone still reads at the size of the page's code.
    expect(generate(address, { minCorrectionLevel: correction.M }).size).toBeLessThanOrEqual(57);
    expect(new URL(address).searchParams.get("secret")).toBe(SECRET);
    expect(decodeURIComponent(address).split("?")[0]?.slice("otpauth://totp/".length).split(":")).toHaveLength(2);
  });
});
