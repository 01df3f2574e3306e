import { expect, test } from "bun:test";
import { Refusal } from "../lib/refusal";
import { refuseWeakPassword } from "./weak_passwords";

const ADA = { email: "ada.lovelace@engines.example", firstName: "Byronetta", lastName: "King-Noël" };

/** What is said of it, and on which field; null where it is taken. */
function refusal(password: string, role: "user" | "admin" = "user", field?: string): Record<string, string> | null {
  try {
    refuseWeakPassword(password, role, ADA, field);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.fields ?? {};
    throw error;
  }
}

test.each([
  "password",
  "PASSWORD",
  "Qwerty123",
  "123456",
  "iloveyou1",
  "trustno1",
  "jennifer",
  "michael",
  "forex123",
  " password ",
  "password1!",
  "Qwerty2024!",
  "jennifer#",
  "123456!",
  "ｐassword".normalize("NFKC"),
])("%j is among the most common", (password) => {
  expect(refusal(password)).toEqual({ password: "This password is among the most common ones. Please choose another." });
});

test.each([
  "aaaaaa",
  "ÄÄÄÄÄÄÄ",
  "ababab",
  "abcabcabc",
  "xyz1xyz1",
  "😀😀😀😀😀😀",
  "cdefghi",
  "876543",
  "hgfedc",
  "sdfghjkl",
  "lkjhgfd",
  "bcdefgh!",
  "xyzxyz99",
])("%j repeats or goes on", (password) => {
  expect(refusal(password)).toEqual({ password: "Repeated or consecutive characters are easily guessed. Please choose another password." });
});

test("spaces alone are no password", () => {
  for (const spaces of ["      ", " \t \t \t ", "\u00a0".repeat(7)])
    expect(refusal(spaces)).toEqual({ password: expect.stringContaining("spaces alone") as string });
});

test.each([
  "ada.lovelace@engines.example",
  "Ada.Lovelace",
  "adalovelace",
  "Byronetta",
  "byronetta king-noël",
  "King-Noe\u0308l",
  "KINGNOËL BYRONETTA",
  "Byronetta1!",
])("%j is the person's own address or name", (password) => {
  expect(refusal(password)).toEqual({ password: "This is your own name or address, which is easily guessed. Please choose another password." });
});

test.each(["Corr3ct-horse", "six-ch", "lovelace, no", "byronetta was here", "kz1234!", "michael-739164", "aaaaab", "a".repeat(128), "пароль на русском"])(
  "%j is taken",
  (password) => {
    expect(refusal(password)).toBeNull();
  },
);

test("the field is the form's own; staff need twelve characters", () => {
  expect(Object.keys(refusal("123456", "user", "newPassword") ?? {})).toEqual(["newPassword"]);
  expect(refusal("elevenchars", "admin")).toEqual({ password: "Administrators need a password of at least 12 characters" });
  expect(refusal("twelve-chars", "admin")).toBeNull();
});
