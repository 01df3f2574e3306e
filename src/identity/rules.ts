import { invalidField, Refusal } from "../lib/refusal";

/** What the rules of the door need to know of a person. */
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

/** The most common passwords of six characters or more, from public breach statistics; compared without case. */
const COMMON = new Set(
  `123456 password 123456789 12345678 1234567 1234567890 qwerty abc123 111111 123123 password1 iloveyou 000000 qwerty123 1q2w3e4r admin123 654321 555555 lovely 7777777 welcome
  888888 princess dragon password123 monkey 666666 qwertyuiop letmein sunshine master 123321 football baseball superman trustno1 shadow michael jordan23 harley 121212 696969 mustang
  batman passw0rd p@ssw0rd zxcvbnm asdfgh asdfghjkl 1qaz2wsx qazwsx 987654321 abcdef abcd1234 a123456 123456a 1234qwer q1w2e3r4 112233 159753 222222 333333 999999 131313 starwars
  freedom whatever google secret summer access hello123 charlie donald login123 admin1 root123 changeme bitcoin trader forex123 halyard`.split(/\s+/),
);

/** Long enough for an administrator. */
export const isLongPassword = (password: string) => password.length >= 12;

/** Refuses a new password that is too common, or too short for staff. */
export function refuseWeakPassword(password: string, role: "user" | "admin", field = "password") {
  if (COMMON.has(password.toLowerCase())) throw invalidField(field, "This password is among the most common ones. Please choose another.");
  if (role === "admin" && !isLongPassword(password)) throw invalidField(field, "Administrators need a password of at least 12 characters");
}

const HALF_LIFE_SECONDS = 600;
const FREE_TRIES = 5;
const LONGEST_WAIT_SECONDS = 900;

/**
 * Seconds still to wait after `failures` failed tries, the last `since` seconds ago. Failures fade with a half-life of
 * ten minutes; beyond the free tries each one doubles the wait, up to fifteen minutes.
 */
export function waitAfter(failures: number, since: number): number {
  // Rounded: the first of five failures has faded a little by the time of the fifth.
  const tries = Math.round(failures);
  if (tries < FREE_TRIES) return 0;
  const wait = Math.min(LONGEST_WAIT_SECONDS, 2 ** (tries - FREE_TRIES));
  return Math.max(0, wait - since);
}
export const faded = (failures: number, since: number) => failures * 0.5 ** (Math.max(0, since) / HALF_LIFE_SECONDS);

/** The network a client is throttled by: IPv4 addresses alone, IPv6 by /64, which one customer gets whole. */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const full = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${full.slice(0, 4).join(":")}::/64`;
}

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
