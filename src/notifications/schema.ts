import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, listQuery } from "../lib/shapes";

/** What notifications are about. A `warning` is shown as one. */
export const notificationTypes = ["visitor", "deposit", "withdrawal", "trade", "registration", "ticket", "chat", "contact", "correction", "warning"] as const;
export type NotificationType = (typeof notificationTypes)[number];
export const priorities = ["low", "medium", "high", "urgent"] as const;

/**
 * A notification as an administrator sees it. `number` counts up in the order in which they became visible. `userId` is whom it
 * concerns, `relatedId` the object that it tells of; `isRead` is the reader's own. What is of low priority is told, but counts nowhere.
 */
export const notificationRow = v.strictObject({
  number: v.number(),
  id: v.string(),
  type: v.picklist(notificationTypes),
  title: v.string(),
  message: v.string(),
  userId: v.nullable(v.string()),
  relatedId: v.nullable(v.string()),
  priority: v.picklist(priorities),
  metadata: v.record(v.string(), v.unknown()),
  isRead: v.boolean(),
  readAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Notification = v.InferOutput<typeof notificationRow>;

/** How many are unread, and the last number there is: for a new reader of the stream, and for all when something was read. */
export type Unread = { count: number; last: number };

export const listNotifications = endpoint("GET /api/admin/notifications", {
  query: v.object({
    ...listQuery.entries,
    status: v.optional(v.picklist(["all", "unread"], "status must be all or unread"), "all"),
    type: v.optional(v.picklist(notificationTypes, "type is not known")),
    /** Only those with a higher number, oldest first: what a reader missed. */
    after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, "after must be the number of a notification"), v.transform(Number))),
  }),
  answer: answer<Notification[]>(),
});
export const unreadNotifications = endpoint("GET /api/admin/notifications/unread", { answer: answer<Unread>() });
export const readNotification = endpoint("POST /api/admin/notifications/:id/read", { params: idParams, answer: answer<Notification>() });
export const readAllNotifications = endpoint("POST /api/admin/notifications/read-all", {
  /** Up to this number, so that what came since the reader looked stays unread. Without it, all. */
  body: v.object({ through: v.optional(v.pipe(v.number("through must be the number of a notification"), v.safeInteger(), v.minValue(0))) }),
  answer: answer<Unread>(),
});
export const notificationStream = endpoint("GET /api/admin/notifications/stream", {});
