import { spyOn } from "bun:test";
import { codeOf, stepAt } from "../identity/totp";

/** An app's code of this half-minute, or of one so many before or after it. */
export const codeIn = (secret: string, steps = 0) => codeOf(secret, stepAt(Date.now()) + steps);

/**
 * Lets the program's half-minute stand still, so that none ends between the making of a code and its reading: by then it might be too old,
 * or not yet spent. Returns the way to let it go on.
 */
export function holdHalfMinute(): () => void {
  const now = Date.now();
  const spy = spyOn(Date, "now").mockImplementation(() => now);
  return () => spy.mockRestore();
}
