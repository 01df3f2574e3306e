import * as v from "valibot";

/** Beside the fields of a form, by field: what was found unfit as it was read, and has been taken out of it. Such a form fits nothing. */
export const UNFIT = Symbol("unfit");
export type Form = Record<string, string> & { [UNFIT]?: Record<string, string> };
/** The form by its shape alone. */
export const asItCame = (form: Form): Form => ({ ...form, [UNFIT]: undefined }) as Form;

type Fit<S extends v.GenericSchema> = { ok: true; value: v.InferOutput<S> } | { ok: false; fields: Record<string, string> };

/**
 * Holds a value to a schema; a misfit names each field with its first message. The server and the browser's forms use
 * it alike, so both say the same words. Never echoes what was sent.
 */
export function fit<S extends v.GenericSchema>(schema: S, value: unknown): Fit<S> {
  const result = v.safeParse(schema, withMissingKeys(schema, value), { abortPipeEarly: true });
  const unfit = (value as Form | null | undefined)?.[UNFIT];
  if (result.success && !unfit) return { ok: true, value: result.output };
  const fields: Record<string, string> = { ...unfit };
  for (const issue of result.issues ?? []) {
    const field = issue.path?.map((item) => String(item.key)).join(".") || "body";
    fields[field] ??= isOwnMessage(issue.message) ? issue.message : `${field} is missing or not valid.`;
  }
  return { ok: false, fields };
}

/** A missing key becomes an undefined value, so that the field's own schema speaks ('Amount is required'). */
function withMissingKeys(schema: v.GenericSchema, value: unknown): unknown {
  if (!("entries" in schema) || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  let keys = withoutValues.get(schema);
  if (!keys) {
    keys = Object.fromEntries(Object.keys(schema.entries as object).map((key) => [key, undefined]));
    withoutValues.set(schema, keys);
  }
  return { ...keys, ...value };
}
/** The keys of a schema, all undefined. */
const withoutValues = new WeakMap<v.GenericSchema, Record<string, undefined>>();

/** Valibot's own messages ("Invalid type: Expected string but received 5") repeat the input. */
const isOwnMessage = (message: string) => !/^Invalid [\w ]+: /.test(message);

/** What a list's search may hold. */
const LONGEST = 200;

/**
 * A page's query held to a list's schema. An address that somebody mistyped still shows the list: parameters that don't fit are
 * left out, and their defaults apply.
 */
export function queryOf<S extends v.GenericSchema>(schema: S, search: URLSearchParams): v.InferOutput<S> {
  const given = Object.fromEntries(search);
  const first = fit(schema, given);
  if (first.ok) return first.value;
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in first.fields)));
  // Who searches for too long a text is shown what its beginning finds, never everything.
  if ("q" in first.fields && given.q) kept.q = given.q.trim().slice(0, LONGEST);
  return v.parse(schema, kept);
}
