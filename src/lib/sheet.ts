import * as v from "valibot";
import { instantOrNone, text } from "./shapes";

/** A list that goes out as a file and comes back in, changed: what is said of it on both sides. */

const csv = v.pipe(v.string("Choose a file."), v.minLength(1, "Choose a file."), v.maxLength(100_000, "The file may have at most 100 kB."));
const effectiveAt = v.optional(instantOrNone, null);
/** `csv`: a file as `format=csv` gives it, changed. What has no row in it stays; a row of what is unknown adds it. `effectiveAt` null: at once. */
export const sheetBody = v.object({ csv, effectiveAt, reason: text(500, "A reason is required") });
export const previewBody = v.object({ csv, effectiveAt });
/** What a row changes, a line for each term, and from when on; null: at once. `appliesAt`: for what is open, where that is later. */
export type SheetChange = { row: number; id: string; name: string; isNew: boolean; effectiveAt: string | null; appliesAt?: string; lines: string[] };
/** Row 1 is the file's head. */
export type SheetFault = { row: number; column: string; message: string };
export type SheetPreview = { changes: SheetChange[]; faults: SheetFault[] };
