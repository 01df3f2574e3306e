/** What each answer says, whatever it is and however it came about, unless it says something stricter of its own. */
const EVERYWHERE: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Content-Security-Policy", "frame-ancestors 'none'"],
  ["X-Frame-Options", "DENY"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];
const YEAR_BY_HTTPS = "max-age=31536000";

/** Puts on an answer what every one of them says; `secure`: its reader came by https, and is asked to stay there. */
export function dressed(response: Response, secure: boolean): Response {
  const { headers } = response;
  for (const [name, value] of EVERYWHERE) if (!headers.has(name)) headers.set(name, value);
  if (secure) headers.set("Strict-Transport-Security", YEAR_BY_HTTPS);
  return response;
}

/** What may stand in the page itself, as `policyHash` names it. */
export type Inline = { script: string; style: string | null };

/**
 * What a page may do: load this site's own scripts, styles and images, talk to this site only, and never be framed. Without `unsafe-inline`,
 * script smuggled into a text can't run: inline scripts run only if the policy names their hash.
 */
const policy = ({ script, style }: Inline) =>
  [
    "default-src 'none'",
    `script-src 'self' ${script}`,
    style ? `style-src 'self' ${style}` : "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The headers that pages alone have; caching is the caller's to say. */
export const pageHeaders = (inline: Inline): Headers =>
  new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy(inline),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  });
