import * as v from "valibot";
import { optionalText, text } from "./shapes";

/** Text that may become a heading, or stand in the head of a letter. */

/** What is said of such text that holds a line's end. It is refused by a status of its own (422). */
export const ONE_LINE = "This must be a single line.";
/** Text in one line: names and subjects. */
export const line = (max: number, required: string) => v.pipe(text(max, required), v.regex(/^[^\n\t]*$/, ONE_LINE));
/** The same where it may be left out. */
export const optionalLine = (max: number) =>
  v.pipe(
    optionalText(max),
    v.check((given) => !/[\n\t]/.test(given ?? ""), ONE_LINE),
  );
