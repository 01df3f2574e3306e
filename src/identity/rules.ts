import { Refusal } from "../lib/refusal";

/** What the rules of signing in need to know of a person. */
export type Standing = {
  role: "user" | "admin";
  accountStatus: "active" | "suspended" | "banned";
  registrationStatus: "pending" | "approved" | "rejected";
  suspendedUntil: string | null;
  suspensionReason: string | null;
  registrationReason: string | null;
};

/** Refuses a sign-in with its reason; a suspension ends by itself when its time has passed. */
export function refuseSignIn(person: Standing, now: Date) {
  if (person.registrationStatus === "rejected")
    throw new Refusal("registration_rejected", `Your registration was rejected: ${person.registrationReason ?? "Registration does not meet requirements"}`);
  if (person.accountStatus === "banned")
    throw new Refusal("account_banned", `This account is banned${person.suspensionReason ? `: ${person.suspensionReason}` : "."}`);
  if (person.accountStatus === "suspended" && !(person.suspendedUntil && new Date(person.suspendedUntil) <= now)) {
    const end = person.suspendedUntil ? ` until ${person.suspendedUntil.slice(0, 16).replace("T", " ")} UTC` : "";
    throw new Refusal("account_suspended", `This account is suspended${end}${person.suspensionReason ? `: ${person.suspensionReason}` : "."}`);
  }
}

/** Long enough for an administrator. */
export const isLongPassword = (password: string) => password.length >= 12;

const HALF_LIFE_SECONDS = 600;
/** Failures that nobody waits for: of a network, a device, a session. */
export const FREE_TRIES = 5;
/** Of an account, over all networks from which nobody signed in to it before: against guesses from many networks. */
export const FREE_TRIES_ELSEWHERE = 50;
const LONGEST_WAIT_SECONDS = 900;

/**
 * Seconds still to wait after `failures` failed tries, the last `since` seconds ago. Failures fade with a half-life of
 * ten minutes; beyond the `free` tries each one doubles the wait, up to fifteen minutes.
 */
export function waitAfter(failures: number, since: number, free = FREE_TRIES): number {
  // Rounded: the first of five failures has faded a little by the time of the fifth.
  const tries = Math.round(failures);
  if (tries < free) return 0;
  const wait = Math.min(LONGEST_WAIT_SECONDS, 2 ** (tries - free));
  return Math.max(0, wait - since);
}
export const faded = (failures: number, since: number) => failures * 0.5 ** (Math.max(0, since) / HALF_LIFE_SECONDS);

/** Session lifetimes in seconds: idle and in all. */
export const LIFETIME = {
  user: { idle: 7 * 86_400, most: 30 * 86_400 },
  admin: { idle: 3_600, most: 12 * 3_600 },
} as const;

/**
 * A path of this site to go to after signing in; anything that could lead elsewhere, or to the API, becomes the dashboard.
 */
export function safeReturn(target: string | null | undefined): string {
  const fallback = "/dashboard";
  if (!target || target.length > 2_000 || !/^\/[\x21-\x7e]*$/.test(target) || /^\/[/\\]/.test(target) || target.includes("\\")) return fallback;
  const base = "http://this.site";
  if (!URL.canParse(target, base)) return fallback;
  const url = new URL(target, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return fallback;
  if (/^\/(api|login|register)(\/|$)/i.test(decodeSafely(url.pathname))) return fallback;
  return url.pathname + url.search + url.hash;
}

const decodeSafely = (path: string) => {
  try {
    return decodeURIComponent(path);
  } catch {
    return "/api";
  }
};
