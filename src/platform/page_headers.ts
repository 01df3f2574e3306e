import type { Config } from "../config";

/** What may stand in the page itself, as `policyHash` names it. */
export type Inline = { script: string; style: string | null };

/**
 * What a page may do: load this site's own scripts, styles and images, talk to this site only, and never be framed.
 * Without `unsafe-inline`, script that someone smuggles into a text cannot run: of what stands in the page, only what is named by
 * its hash does.
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

/** The headers of every page; caching is the caller's to say. */
export function pageHeaders(config: Config, inline: Inline): Headers {
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy(inline),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  });
  if (config.publicUrl?.startsWith("https:")) headers.set("Strict-Transport-Security", "max-age=31536000");
  return headers;
}
