import type { RequestContext } from "../platform/http/routes";

/** The cookies of who signs in: random tokens, of which only a hash is stored. */

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits as a cookie's value. */
export const newToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
export const hashOf = (token: string) => Bun.CryptoHasher.hash("sha256", token, "hex");

/** Behind https the browser itself holds the cookie to this host and path. */
const nameOf = (context: RequestContext, name: string) => (context.secure ? `__Host-${name}` : name);

/** The token in the request's cookie of this name, or null. It is read from the header itself, where a value like JSON stays text. */
export function cookieOf(context: RequestContext, name: string): string | null {
  const header = context.request.headers.get("cookie");
  if (!header) return null;
  const start = `${nameOf(context, name)}=`;
  for (const part of header.split(";")) {
    const cookie = part.trim();
    if (cookie.startsWith(start)) return TOKEN.test(cookie.slice(start.length)) ? cookie.slice(start.length) : null;
  }
  return null;
}

/** Puts a cookie on the answer for so many seconds; 0 takes it away. */
export function setCookie(context: RequestContext, name: string, token: string, maxAge: number) {
  context.headers.append(
    "Set-Cookie",
    `${nameOf(context, name)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${context.secure ? "; Secure" : ""}`,
  );
}
