import type * as v from "valibot";
import { fit } from "../../lib/fit";
import { ONE_LINE } from "../../lib/line";
import { notFound, Refusal } from "../../lib/refusal";

/** What a request names, held to what its route declares. */

/** Holds input to its schema; a misfit is a 400 with each field's first message. */
export function fitting<S extends v.GenericSchema>(schema: S | undefined, value: unknown): v.InferOutput<S> {
  if (!schema) return undefined as v.InferOutput<S>;
  const result = fit(schema, value);
  if (result.ok) return result.value;
  throw new Refusal(
    Object.values(result.fields).includes(ONE_LINE) ? "single_line" : "invalid",
    Object.values(result.fields)[0] ?? "The request is not valid.",
    result.fields,
  );
}

/** A path's parameters; what can't be an id names nothing that exists. */
export function fittingParams<S extends v.GenericSchema>(schema: S | undefined, value: unknown): v.InferOutput<S> {
  const result = schema && fit(schema, value);
  if (result?.ok === false) throw notFound();
  return result?.value as v.InferOutput<S>;
}

/** The caller's Idempotency-Key, or null. */
export const idempotencyKey = (request: Request) => {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new Refusal("invalid", "Idempotency-Key must be 1 to 200 visible characters.");
  return key;
};
