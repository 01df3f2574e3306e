import type { NotificationType } from "../../src/notifications/schema";
import { inTime, SECOND } from "../../src/lib/time";
import * as calls from "../../src/notifications/schema_push";
import type { PushState } from "../../src/notifications/schema_push";
import { alertPermission, enableAlerts } from "./alerts";
import { ApiError, call } from "../wire/api";

/** Web Push on this device. `unsupported` where the browser has none, as on plain http away from this machine. */
export type PushStanding = "enabled" | "disabled" | "denied" | "unsupported";

type Subscribed = { endpoint: string; keys: { p256dh: string; auth: string } };
/** The calls that keep a device: staff's, with the kinds it wants, or a person's own. */
export type PushWay = {
  state(): Promise<PushState>;
  subscribe(device: Subscribed): Promise<PushState>;
  unsubscribe(endpoint: string): Promise<PushState>;
  test(endpoint: string): Promise<{ delivered: boolean }>;
};
export const staffPush = (kinds: readonly NotificationType[]): PushWay => ({
  state: () => call(calls.pushState),
  subscribe: (device) => call(calls.pushSubscribe, { ...device, kinds: [...kinds] }),
  unsubscribe: (endpoint) => call(calls.pushUnsubscribe, { endpoint }),
  test: (endpoint) => call(calls.pushTest, { endpoint }),
});
export const ownPush: PushWay = {
  state: () => call(calls.ownPushState),
  subscribe: (device) => call(calls.ownPushSubscribe, device),
  unsubscribe: (endpoint) => call(calls.ownPushUnsubscribe, { endpoint }),
  test: (endpoint) => call(calls.ownPushTest, { endpoint }),
};

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
export async function enablePush(way: PushWay): Promise<PushStanding> {
  if (!supported()) return "unsupported";
  const said = await enableAlerts();
  if (said !== "granted") return said === "denied" ? "denied" : "disabled";
  await registration();
  const { pushManager } = await navigator.serviceWorker.ready;
  const { publicKey } = await way.state();
  const key = Uint8Array.fromBase64(publicKey, { alphabet: "base64url" });
  const known = await pushManager.getSubscription();
  // One that was made for another server's key hears nothing of ours.
  if (known && !sameKey(known.options.applicationServerKey, key)) await known.unsubscribe();
  const made = await inTime(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), PATIENCE_MS);
  if (!made) throw new Error("the push service did not answer");
  await tellServer(made, way);
  return "enabled";
}

/** Tells the server what this device wants, and whose session it is now. */
export async function renewPush(way: PushWay): Promise<void> {
  const made = supported() ? await subscription() : null;
  if (made) await tellServer(made, way);
}

export async function disablePush(way: PushWay): Promise<PushStanding> {
  const made = await subscription();
  if (made) {
    await way.unsubscribe(made.endpoint);
    await made.unsubscribe();
  }
  return "disabled";
}

/** Sends a test through the push service to this device; whether the service took it. */
export async function testPush(way: PushWay): Promise<boolean> {
  const made = await subscription();
  if (!made) throw new ApiError(0, "Push is not enabled on this device.", "disabled");
  return (await way.test(made.endpoint)).delivered;
}

async function tellServer(made: PushSubscription, way: PushWay) {
  const { endpoint = "", keys } = made.toJSON();
  await way.subscribe({ endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } });
}

const sameKey = (known: ArrayBuffer | null, key: Uint8Array) => known !== null && new Uint8Array(known).toHex() === key.toHex();

/** What the browser says when it does not subscribe, in words that help. */
export function pushTrouble(error: unknown): string {
  console.error("push could not be set up", error);
  return "This browser could not reach its push service. Check its settings and your connection, then try again.";
}
