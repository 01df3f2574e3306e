/**
 * A command that the rules refuse. `message` is fit to show to a person, `code` is for programs, `fields` names the
 * input at fault. Rules and commands throw it; only `platform/http` knows which HTTP status it becomes.
 */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields?: Record<string, string>,
    /** Seconds to wait before trying again, where waiting helps. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = "Refusal";
  }
}

export const invalid = (message: string, fields?: Record<string, string>) => new Refusal("invalid", message, fields);
export const invalidField = (field: string, message: string) => new Refusal("invalid", message, { [field]: message });
export const unauthorized = () => new Refusal("unauthorized", "Unauthorized");
export const notFound = () => new Refusal("not_found", "Not found.");
/** What was looked for; refuses (not_found) where there is nothing. */
export function found<T>(object: T | null): T {
  if (object === null) throw notFound();
  return object;
}
export const conflict = (message: string) => new Refusal("conflict", message);
