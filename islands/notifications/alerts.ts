/** Alerts on this device for administrators, shown by the service worker, so that they are seen from other windows too. */
export type AlertKind = "visitor" | "deposit" | "withdrawal" | "trade";

/** Where each kind leads, and its title. */
const KINDS: Record<AlertKind, { title: string; url: string }> = {
  visitor: { title: "New visitor", url: "/admin?tab=visitors" },
  deposit: { title: "New deposit request", url: "/admin?tab=deposits" },
  withdrawal: { title: "New withdrawal request", url: "/admin?tab=withdrawals" },
  trade: { title: "Trade alert", url: "/admin?tab=trades" },
};

type AlertPermission = NotificationPermission | "unsupported";

/** What the person allowed on this device; `unsupported` where the browser has no notifications, as on plain http. */
export const alertPermission = (): AlertPermission =>
  typeof Notification === "undefined" || !globalThis.navigator?.serviceWorker ? "unsupported" : Notification.permission;

/** Asks the person, after a press of theirs; resolves to what they said. */
export async function enableAlerts(): Promise<AlertPermission> {
  if (alertPermission() === "unsupported") return "unsupported";
  return Notification.requestPermission();
}

/**
 * Shows one alert; false where it may not or cannot be shown. A newer alert of a kind takes the place of the one before it, so that
 * a busy hour leaves four and not four hundred.
 */
export async function raiseAlert(kind: AlertKind, message: string): Promise<boolean> {
  if (alertPermission() !== "granted") return false;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration?.active) {
    console.error("Service worker not registered");
    return false;
  }
  const { title, url } = KINDS[kind];
  await registration.showNotification(title, { body: message.slice(0, 300), tag: kind, icon: "/icon-192.png", data: { url } });
  return true;
}
