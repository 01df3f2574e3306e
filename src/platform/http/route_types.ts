import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from "../../lib/endpoint";
import type { Form } from "../../lib/fit";
import type { Permission } from "../../lib/permissions";
import type { Caller, Me } from "../app_context";
import type { Page } from "../page/page";
import type { Reply } from "./answer";
import type { Foretell } from "./idempotency";
import type { RequestContext } from "./request_context";

/** What a route is, and what its handler gets and answers. */

/** Who may call a route: anyone, the signed-in, or staff. */
export type Lock = "open" | "user" | "admin";

/** What an upload takes: content types and bytes. */
export type FileKind = { types: RegExp; limit: number };
export type Input<E extends Endpoint> = { body: BodyOf<E>; params: ParamsOf<E>; query: QueryOf<E>; context: RequestContext };
type Result<E extends Endpoint> = (undefined extends AnswerOf<E> ? void : never) | AnswerOf<E> | Response | Reply<AnswerOf<E>>;
export type Handler<E extends Endpoint, X> = (input: Input<E> & X) => Promise<Result<E>> | Result<E>;
export type CallHandler<E extends Endpoint> = (input: Input<E>, me: Me | null, by: Caller | null, foretell: Foretell<object>) => Promise<Result<E>> | Result<E>;
/** A route as `src/routes.txt` and the tests that call all of them have it; a call with what it declares, one of staff with the permission that it takes. */
export type Route = {
  method: string;
  path: string;
  lock: Lock;
  kind: "call" | "page" | "form" | "file";
  file: string;
  shape?: Endpoint;
  permission?: Permission | undefined;
};
export type CallOptions = { file?: FileKind; within?: true; proven?: true; permission?: Permission };

type HtmlHandler<X> = (input: { context: RequestContext } & X) => Promise<Page | Response> | Page | Response;
export type PageHandler<X> = HtmlHandler<{ params: Record<string, string> } & X>;
export type FormHandler<X> = HtmlHandler<{ form: Form } & X>;
