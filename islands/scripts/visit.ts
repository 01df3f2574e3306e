/**
 * Tells this site, and nobody else, that a page was opened: no cookie, nothing stored, and nothing at all where the person asks not
 * to be tracked (Do Not Track, Global Privacy Control). A page that stays open and is looked at says so every two minutes.
 */
const STILL_MS = 120_000;
/** Staff's own screens are no visits. */
const STAFF = /^\/(enhanced-)?admin/;

type Wish = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

const declined = () => {
  const { doNotTrack, globalPrivacyControl } = navigator as Wish;
  return doNotTrack === "1" || globalPrivacyControl === true;
};

export function reportVisit() {
  if (declined() || STAFF.test(location.pathname)) return;
  const tell = (still: boolean) => {
    const body = {
      page: location.pathname,
      userAgent: navigator.userAgent,
      timestamp: new Date().toISOString(),
      device: deviceOf(),
      screenResolution: `${screen.width}x${screen.height}`,
      timezone: zone(),
      still: still || undefined,
    };
    const headers = { "Content-Type": "application/json" };
    // A visit that can't be reported is none of the visitor's business.
    fetch("/api/admin/visitors/track", { method: "POST", headers, body: JSON.stringify(body), credentials: "omit", keepalive: true }).catch(() => {});
  };
  tell(false);
  setInterval(() => !document.hidden && tell(true), STILL_MS);
}

/** "Europe/Vienna". The first formatter of a page loads the language's whole data, a tenth of a second on a cheap phone; `Temporal` knows without. */
function zone(): string {
  const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function deviceOf(): "mobile" | "tablet" | "desktop" {
  if (!matchMedia("(pointer: coarse)").matches) return "desktop";
  return Math.min(screen.width, screen.height) < 600 ? "mobile" : "tablet";
}
