import type { NotificationType } from "../../src/notifications/schema";
import { inTime, SECOND } from "../../src/lib/time";
import { pushState, pushSubscribe, pushTest, pushUnsubscribe } from "../../src/notifications/schema_push";
import { alertPermission, enableAlerts } from "./alerts";
import { ApiError, call } from "./api";

/** Web Push on this device. `unsupported` where the browser has none, as on plain http away from this machine. */
export type PushStanding = "enabled" | "disabled" | "denied" | "unsupported";

/** A browser that can't reach its push service tries for ever. What it brings later, the next page tells the server. */
export const PATIENCE_MS = 15 * SECOND;

const registration = async () => (await navigator.serviceWorker.getRegistration()) ?? (await navigator.serviceWorker.register("/sw.js"));
const supported = () => alertPermission() !== "unsupported" && "PushManager" in globalThis;

async function subscription(): Promise<PushSubscription | null> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription() ?? null;
}

export async function pushStanding(): Promise<PushStanding> {
  if (!supported()) return "unsupported";
  if (alertPermission() === "denied") return "denied";
  return alertPermission() === "granted" && (await subscription()) ? "enabled" : "disabled";
}

/** Asks the person, subscribes with the push service, and tells the server. Throws ApiError, or what the browser says. */
export async function enablePush(kinds: readonly NotificationType[]): Promise<PushStanding> {
  if (!supported()) return "unsupported";
  const said = await enableAlerts();
  if (said !== "granted") return said === "denied" ? "denied" : "disabled";
  await registration();
  const { pushManager } = await navigator.serviceWorker.ready;
  const { publicKey } = await call(pushState);
  const key = Uint8Array.fromBase64(publicKey, { alphabet: "base64url" });
  const known = await pushManager.getSubscription();
  // One that was made for another server's key hears nothing of ours.
  if (known && !sameKey(known.options.applicationServerKey, key)) await known.unsubscribe();
  const made = await inTime(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), PATIENCE_MS);
  if (!made) throw new Error("the push service did not answer");
  await tellServer(made, kinds);
  return "enabled";
}

/** Tells the server which kinds this device wants, and whose session it is now. */
export async function renewPush(kinds: readonly NotificationType[]): Promise<void> {
  const made = supported() ? await subscription() : null;
  if (made) await tellServer(made, kinds);
}

export async function disablePush(): Promise<PushStanding> {
  const made = await subscription();
  if (made) {
    await call(pushUnsubscribe, { endpoint: made.endpoint });
    await made.unsubscribe();
  }
  return "disabled";
}

/** Sends a test through the push service to this device; whether the service took it. */
export async function testPush(): Promise<boolean> {
  const made = await subscription();
  if (!made) throw new ApiError(0, "Push is not enabled on this device.", "disabled");
  return (await call(pushTest, { endpoint: made.endpoint })).delivered;
}

async function tellServer(made: PushSubscription, kinds: readonly NotificationType[]) {
  const { endpoint = "", keys } = made.toJSON();
  await call(pushSubscribe, { endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" }, kinds: [...kinds] });
}

const sameKey = (known: ArrayBuffer | null, key: Uint8Array) => known !== null && new Uint8Array(known).toHex() === key.toHex();
