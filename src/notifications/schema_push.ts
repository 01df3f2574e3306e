import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { notificationTypes } from "./schema";

const key = (length: number) =>
  v.pipe(v.string("The subscription's keys are missing."), v.regex(new RegExp(`^[A-Za-z0-9_-]{${length}}={0,2}$`), "The subscription's keys are not valid."));
const address = v.pipe(
  v.string("endpoint is required"),
  v.maxLength(1000, "endpoint must be an https address of a push service."),
  v.check((url) => URL.canParse(url) && new URL(url).protocol === "https:", "endpoint must be an https address of a push service."),
);
const trimmed = (length: number) =>
  v.pipe(
    key(length),
    v.transform((text) => text.replace(/=+$/, "")),
  );

/** What a browser's push manager hands out. */
const subscription = {
  endpoint: address,
  keys: v.object({ p256dh: trimmed(87), auth: trimmed(22) }, "The subscription's keys are missing."),
};
/** That, and which of staff's kinds its device wants. */
export const deviceBody = v.object({
  ...subscription,
  kinds: v.pipe(v.array(v.picklist(notificationTypes, "A kind is not known."), "kinds must be a list"), v.maxLength(20, "Too many kinds.")),
});
/** A device of anybody, for what concerns the person: price alerts, say. */
export const ownDeviceBody = v.object(subscription);
const endpointBody = v.object({ endpoint: address });

/** What a device needs to subscribe, and how many of the caller's own do. */
export type PushState = { publicKey: string; devices: number };
export const pushState = endpoint("GET /api/admin/push", { answer: answer<PushState>() });
export const pushSubscribe = endpoint("POST /api/admin/push/subscribe", { body: deviceBody, answer: answer<PushState>() });
export const pushUnsubscribe = endpoint("POST /api/admin/push/unsubscribe", { body: endpointBody, answer: answer<PushState>() });
/** Sends a test to one of the caller's own devices; `delivered` is whether its push service took it. */
export const pushTest = endpoint("POST /api/admin/push/test", { body: endpointBody, answer: answer<{ delivered: boolean }>() });

export const ownPushState = endpoint("GET /api/push", { answer: answer<PushState>() });
export const ownPushSubscribe = endpoint("POST /api/push/subscribe", { body: ownDeviceBody, answer: answer<PushState>() });
export const ownPushUnsubscribe = endpoint("POST /api/push/unsubscribe", { body: endpointBody, answer: answer<PushState>() });
export const ownPushTest = endpoint("POST /api/push/test", { body: endpointBody, answer: answer<{ delivered: boolean }>() });
