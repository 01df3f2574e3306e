import { expect, test } from "bun:test";
import { filledIn, named, namedAt } from "./canned";

const answers = ["KYC documents", "Deposit is late", "Late withdrawal", "Greeting"].map((title) => ({
  id: title,
  title,
  body: title,
  updatedBy: "",
  updatedAt: "",
  version: 1,
}));
const titles = (words: string) => named(answers, words).map(({ title }) => title);

test.each([
  [";", { from: 0, words: "" }],
  ["Hello ;la", { from: 6, words: "la" }],
  ["Hello\n;late dep", { from: 6, words: "late dep" }],
  ["Hello;la", null],
  ["; la", null],
  ["at 10;", null],
  ["one ;two\nthree", null],
] as const)("%j names %j", (text, at) => expect(namedAt(text, text.length)).toEqual(at as never));

test("the caret says which one is being named", () => expect(namedAt("Hello ;gre and more", 10)).toEqual({ from: 6, words: "gre" }));

test("an answer is found by each word of its title, what begins so first", () => {
  expect(titles("")).toEqual(answers.map(({ title }) => title));
  expect(titles("late")).toEqual(["Late withdrawal", "Deposit is late"]);
  expect(titles("late dep")).toEqual(["Deposit is late"]);
  expect(titles("nothing")).toEqual([]);
});

test("it speaks of whom it is for; other braces stay", () => {
  const about = { firstName: "Ada", lastName: "Lovelace", subject: "My $& card" };
  expect(filledIn("Dear {first name} ({name}), about “{subject}”: {amount}", about)).toBe("Dear Ada (Ada Lovelace), about “My $& card”: {amount}");
});
