import * as v from "valibot";
import { fit } from "../../lib/fit";
import type { Authenticator, Me } from "../app_context";
import type { Page } from "../page/page";
import type { Sent } from "../page/sent_again";
import { redirect } from "./answer";
import type { RequestContext } from "./request_context";

/**
 * A form without scripts that came without a session: what it said goes with its sender through the sign-in, in a hidden field, and comes back
 * to the form as it is by then. Nothing is done, nothing stored, and nobody else is shown it.
 */

type Fields = Record<string, string>;
/** Where such a form stands. */
export type FormPlace = {
  /** The address of the page that has it. */
  at: (form: Fields) => string;
  /** That page as it is now, or the way to it. May refuse. */
  page: (input: { context: RequestContext; form: Fields; me: Me }) => Promise<Page | Response> | Page | Response;
  /** What of what it said was written in it; without this, all of it. */
  written?: (form: Fields) => Fields;
};

/** `person`: the id of who signed in last in that browser. */
const shape = v.object({ path: v.string(), person: v.string(), fields: v.record(v.string(), v.string()) });
export type Held = v.InferOutput<typeof shape>;
/** The hidden field. */
const FIELD = "held";
/** Passwords, codes, and keys of what is done once. */
const SECRET = /pass|code|token|key/i;
/** So many bytes, encoded, leave room for the sign-in's own fields below a form's limit. */
const MOST = 56_000;

const paths = new Set<string>();
/** Forms posted to this path come back through a sign-in. */
export const takesBack = (path: string) => void paths.add(path);

/** What a form said, for the hidden field; null where nobody is known to whom alone it may be shown again, nothing was said, or it was too much. */
export async function heldText(authenticator: Authenticator, context: RequestContext, { path, fields }: Sent): Promise<string | null> {
  // It comes from a sign-in that this browser forgot at once.
  if (heldIn(fields)) return fields[FIELD] ?? null;
  const said = Object.entries(fields).filter(([name]) => !SECRET.test(name));
  const person = said.some(([, value]) => value !== "") ? await authenticator.lastHere(context) : null;
  const text = person && JSON.stringify({ path, person, fields: Object.fromEntries(said) } satisfies Held);
  return text && encodeURIComponent(text).length <= MOST ? text : null;
}

/** What the form of a sign-in carries; null where that is nothing of ours. */
export function heldIn(form: Readonly<Fields>): Held | null {
  try {
    const held = fit(shape, JSON.parse(form[FIELD] ?? "null"));
    return held.ok && paths.has(held.value.path) ? held.value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The form's page with what was written in it, for the person who wrote it; anybody else goes to the dashboard. What `renderPage` takes. */
export async function putBack(
  { path, person, fields }: Held,
  { page, written = (form) => form }: FormPlace,
  { context, me }: { context: RequestContext; me: Me },
): Promise<[Page | Response, RequestContext, undefined, Sent?]> {
  if (person !== me.id || path !== context.url.pathname) return [redirect("/dashboard", 303), context, undefined];
  return [await page({ context, form: fields, me }), context, undefined, { path, fields: written(fields), isBack: true }];
}
