import type { Visitor } from "./schema";

type Device = Visitor["device"];

/** What a page says it runs on, else what the browser's name tells. */
export function deviceOf(said: string, userAgent: string): Device {
  if (said === "mobile" || said === "tablet" || said === "desktop") return said;
  if (/ipad|tablet|kindle|silk|android(?!.*mobile)/i.test(userAgent)) return "tablet";
  return /mobi|iphone|ipod|android/i.test(userAgent) ? "mobile" : "desktop";
}

/** The list's length on every screen. */
export const RECENT = 10;

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** A country's name; the code where it has none. */
export const countryName = (code: string | null): string => (code === null ? "an unknown country" : (names.of(code) ?? code));
