import { whenIdle } from "../runtime/idle";
import { keepText, restoreText } from "./kept_text";

const MOST = 99;
/** How often is looked whether the session still opens the page. */
const EVERY_MS = 20_000;
const LEAVE_MS = 800;

/**
 * For the signed-in: puts on the header's link how much of what support said was not read, and counts anew when the stream tells of
 * something or the page is seen again. Without an answer it stays as it is; where nobody is signed in any more the page is left.
 */
async function showUnread() {
  const response = await fetch("/api/support/unread", { headers: { Accept: "application/json" } }).catch(() => null);
  if (response?.status === 401) return leave();
  // The staff's header has no such link.
  const link = document.querySelector<HTMLElement>("a[data-unread]");
  const badge = link?.querySelector("span");
  if (!response?.ok || !link || !badge) return;
  const { count } = (await response.json()) as { count: number };
  badge.textContent = count > MOST ? `${MOST}+` : String(count);
  badge.hidden = count === 0;
  link.setAttribute("aria-label", count === 0 ? "Support" : `Support, ${count} unread`);
}

let leaving = false;
/** The session is over: pages that hear nothing of it by themselves go, too. One that does has begun to. */
function leave() {
  if (leaving) return;
  leaving = true;
  setTimeout(() => location.assign(`/api/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`), LEAVE_MS);
}

restoreText();
addEventListener("pagehide", keepText);
setInterval(() => document.visibilityState === "visible" && void showUnread(), EVERY_MS);
whenIdle(() => void showUnread());
addEventListener("supportnews", () => void showUnread());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void showUnread());
