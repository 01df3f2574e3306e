const MOST = 99;

/**
 * For the signed-in: puts on the header's link how much of what support said was not read, and counts anew when the stream tells of
 * something or the page is seen again. Without an answer it stays as it is.
 */
async function showUnread() {
  const link = document.querySelector<HTMLElement>("a[data-unread]");
  const badge = link?.querySelector("span");
  if (!link || !badge) return;
  const response = await fetch("/api/support/unread", { headers: { Accept: "application/json" } }).catch(() => null);
  if (!response?.ok) return;
  const { count } = (await response.json()) as { count: number };
  badge.textContent = count > MOST ? `${MOST}+` : String(count);
  badge.hidden = count === 0;
  link.setAttribute("aria-label", count === 0 ? "Support" : `Support, ${count} unread`);
}

void showUnread();
addEventListener("supportnews", () => void showUnread());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void showUnread());
