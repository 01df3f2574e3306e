import type { GenericSchema, InferInput, InferOutput } from "valibot";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Shape = {
  params?: GenericSchema;
  query?: GenericSchema;
  body?: GenericSchema;
  /** What a success answers; a type alone, so that no browser bundle carries it. Made by `answer<T>()`. */
  answer?: Answer<unknown>;
  /** The status of a success; 200 unless told, 204 where there is no answer. */
  status?: number;
  /** It may not be done twice: it honours an Idempotency-Key, and the browser sends it by `sendOnce` alone. */
  once?: true;
};

declare const answered: unique symbol;
export type Answer<T> = { readonly [answered]?: T };
export const answer = <T>(): Answer<T> => ({});

export type Endpoint<S extends Shape = Shape> = S & { readonly method: Method; readonly path: string };

/**
 * Declares a call once for both sides: the server adds a handler to it (`Routes`), the browser calls it
 * (`islands/wire/api`). Path parameters are written `:id`.
 */
export function endpoint<const S extends Shape>(at: `${Method} /${string}`, shape: S): Endpoint<S> {
  const space = at.indexOf(" ");
  return { ...shape, method: at.slice(0, space) as Method, path: at.slice(space + 1) };
}

type Out<T> = T extends GenericSchema ? InferOutput<T> : undefined;
type In<T> = T extends GenericSchema ? InferInput<T> : undefined;
type Field<E, K extends string> = E extends { [key in K]: infer T } ? T : undefined;

/** What the server's handler receives, after validation. */
export type BodyOf<E extends Endpoint> = Out<Field<E, "body">>;
export type ParamsOf<E extends Endpoint> = Out<Field<E, "params">>;
export type QueryOf<E extends Endpoint> = Out<Field<E, "query">>;
/** What the browser sends. */
export type BodyFor<E extends Endpoint> = In<Field<E, "body">>;
export type ParamsFor<E extends Endpoint> = In<Field<E, "params">>;
export type QueryFor<E extends Endpoint> = In<Field<E, "query">>;
export type AnswerOf<E extends Endpoint> = Field<E, "answer"> extends Answer<infer T> ? T : undefined;
