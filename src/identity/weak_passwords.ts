import { invalidField } from "../lib/refusal";
import commonest from "./common_passwords.txt" with { type: "text" };
import { isLongPassword } from "./rules";

/** Words that are common here, beside the list: it has neither the trade's nor ours. */
const OURS = "halyard forex123 trader123 trading1 bitcoin1 changeme login123 root123";

let common: Set<string> | undefined;
/** The passwords that people use most, in small letters; read when the first one is judged. */
const isCommon = (password: string) => (common ??= new Set([...commonest.trimEnd().split("\n"), ...OURS.split(" ")])).has(password);

/** One to four characters, over and over: `aaaaaa`, `ababab`, `123123`. A long one is not guessed by how often it says them. */
const isRepeated = (password: string) => password.length <= LONG && /^(.{1,4}?)\1+$/su.test(password);
const LONG = 64;

const ROWS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SEQUENCES = ROWS.flatMap((row) => [row, [...row].toReversed().join("")]);

/** Neighbours of the alphabet, of the digits or of a keyboard's row, up or down. */
const isSequence = (password: string) => SEQUENCES.some((row) => row.includes(password));

/** Digits and marks at the end, as people add where a word alone is refused: `password1!`, `qwerty2024!`. */
const ADDED = /[\p{N}\p{P}\p{S}]$/u;
/** So many of them are guessed along; and of what stands before them too little may be left to judge by. */
const MOST_ADDED = 5;
const MIN_STEM = 6;

/** A password as it is, without spaces around it, and without what was added to it, in small letters. */
function formsOf(password: string): string[] {
  const whole = password.normalize("NFC").toLowerCase();
  const forms = [whole, whole.trim()];
  for (let n = 0, stem = whole.trim(); n < MOST_ADDED && ADDED.test(stem) && stem.length > MIN_STEM; n++) forms.push((stem = stem.slice(0, -1)));
  return forms;
}

/** Who chooses a password. */
type Person = { email: string; firstName?: string; lastName?: string };

/** The address, what stands before its @, and the names, alone and together, however they are spaced. */
function wordsOf({ email, firstName = "", lastName = "" }: Person): Set<string> {
  const names = [firstName, lastName, firstName + lastName, lastName + firstName];
  return new Set([email, email.split("@")[0] ?? "", ...names].map(bare).filter((word) => word !== ""));
}
const bare = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s._-]/g, "");

/** Refuses (invalid, on the field) a new password that is easily guessed, or too short for staff. */
export function refuseWeakPassword(password: string, role: "user" | "admin", person: Person, field = "password") {
  const [forms, words] = [formsOf(password), wordsOf(person)];
  const refuse = (why: string): never => {
    throw invalidField(field, why);
  };
  if (password.trim() === "") refuse("A password of spaces alone is easily guessed. Please choose another.");
  if (forms.some(isCommon)) refuse("This password is among the most common ones. Please choose another.");
  if (forms.some((form) => isRepeated(form) || isSequence(form)))
    refuse("Repeated or consecutive characters are easily guessed. Please choose another password.");
  if (forms.some((form) => words.has(bare(form)))) refuse("This is your own name or address, which is easily guessed. Please choose another password.");
  if (role === "admin" && !isLongPassword(password)) refuse("Administrators need a password of at least 12 characters");
}
