import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";

/** Kinds of notices that a person may do without. Always shown: what concerns the person's security, and decisions of staff about the person's money. */
export const noticeTopics = ["trades", "margin", "money", "support"] as const;
export type ChosenTopic = (typeof noticeTopics)[number];
export type NoticeTopic = ChosenTopic | "security";

const flag = (name: string) => v.optional(v.boolean(`${name} must be true or false`));
export const noticeChoices = v.strictObject({ trades: v.boolean(), margin: v.boolean(), money: v.boolean(), support: v.boolean() });
export type NoticeChoices = v.InferOutput<typeof noticeChoices>;

/** What is left out stays as it is. */
const noticeBody = v.object({ trades: flag("trades"), margin: flag("margin"), money: flag("money"), support: flag("support") });

export const readNotices = endpoint("GET /api/user/notices", { answer: answer<NoticeChoices>() });
export const chooseNotices = endpoint("PATCH /api/user/notices", { body: noticeBody, answer: answer<NoticeChoices>() });
