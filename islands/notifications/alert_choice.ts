import { alertKinds, firstKinds, reaches } from "../../src/notifications/rules";
import type { Notification, NotificationType } from "../../src/notifications/schema";
import { type AlertKind, alertPermission, raiseAlert } from "./alerts";

/** Which kinds come to this device, and that only one tab of its browser raises each. */
const CHOICE = "alert-kinds";
const RAISED = "alert-raised";
const LOCAL: readonly NotificationType[] = ["visitor", "deposit", "withdrawal", "trade"] satisfies AlertKind[];
/** A visible tab goes first, and shows a toast instead. */
const YIELD_MS = 400;

/** The kinds that this device wants; visitors only where somebody asked for them. */
export function chosenKinds(): NotificationType[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(CHOICE) ?? "null");
    return Array.isArray(stored) ? alertKinds.filter((kind) => stored.includes(kind)) : firstKinds;
  } catch {
    return firstKinds; // Storage may be forbidden, or hold what somebody else wrote.
  }
}

export function chooseKinds(kinds: readonly NotificationType[]) {
  try {
    localStorage.setItem(CHOICE, JSON.stringify(kinds));
  } catch {
    // The choice then lasts for this page only.
  }
}

/** Raises an alert on this device where it is wanted, permitted and not shown by a page that somebody looks at; once for the browser. */
export async function raiseHere(told: Notification): Promise<void> {
  const { type, number, message } = told;
  if (!LOCAL.includes(type) || alertPermission() !== "granted" || !reaches(told, chosenKinds())) return;
  const looked = document.visibilityState === "visible" && document.hasFocus();
  if (!looked) await new Promise((go) => setTimeout(go, YIELD_MS));
  if (!(await claimed(number)) || looked) return;
  await raiseAlert(type as AlertKind, message);
}

/** True for the first tab that asks for this number. */
async function claimed(number: number): Promise<boolean> {
  const claim = () => {
    try {
      if (Number(localStorage.getItem(RAISED)) >= number) return false;
      localStorage.setItem(RAISED, String(number));
    } catch {
      return true; // Without storage the alerts of a kind replace each other, which is as good.
    }
    return true;
  };
  return "locks" in navigator ? navigator.locks.request(RAISED, claim) : claim();
}
