import type { Config } from "../config";

/**
 * What a page may do: load this site's own scripts, styles and images, talk to this site only, and never be framed.
 * Without `unsafe-inline`, script that someone smuggles into a text cannot run.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
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
export function pageHeaders(config: Config): Headers {
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  });
  if (config.publicUrl?.startsWith("https:")) headers.set("Strict-Transport-Security", "max-age=31536000");
  return headers;
}
