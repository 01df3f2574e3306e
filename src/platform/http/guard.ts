import { Refusal } from "../../lib/refusal";
import { errorResponse } from "./answer";

/** Methods that change nothing. */
export const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a write that another site's page could have made, before its body is read. Another port of this host is
 * another site too, which SameSite cookies do not see.
 */
export function refuseCrossSite(at: { readonly request: Request; readonly url: URL }, publicOrigin: string | null) {
  const { request } = at;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  // A site on https has no pages on other origins, whatever the browser says of theirs.
  const isElsewhere = publicOrigin?.startsWith("https:") === true && origin !== null && origin !== publicOrigin;
  const isOwn = site === null ? origin === null || origin === at.url.origin || origin === publicOrigin : site === "same-origin" || site === "none";
  if (isElsewhere || !isOwn) throw new Refusal("forbidden", "This request came from another site.");
}

/** Refuses a request without a host or with two: a proxy and we could read it differently. */
export function refuseUnaddressed(request: Request): Response | undefined {
  const host = request.headers.get("host");
  if (host?.includes(",") || !URL.canParse(request.url))
    return errorResponse(new Refusal("invalid", "The request must name one host."), new Headers({ "Cache-Control": "no-store" }));
}

export const JSON_TYPE = /^application\/json\s*(;.*)?$/i;
export const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;.*)?$/i;
export const PARTS_TYPE = /^multipart\/form-data\s*(;.*)?$/i;

/** Refuses a body of a type that this route does not take; exactly named, since a lax reader is a way round the cross-site check. */
export function refuseMediaType(request: Request, accepted: RegExp) {
  const type = request.headers.get("content-type");
  if (type === null && !request.body) return;
  if (type !== null && accepted.test(type)) return;
  throw new Refusal("unsupported_media_type", accepted === JSON_TYPE ? "Send this as application/json." : "This kind of content is not taken here.");
}
