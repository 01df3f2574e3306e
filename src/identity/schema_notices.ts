import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";

/** Kinds of notices that a person may do without. Always shown: what concerns the person's security, and decisions of staff about the person's money. */
export const noticeTopics = ["trades", "margin", "money", "support"] as const;
export type ChosenTopic = (typeof noticeTopics)[number];
export type NoticeTopic = ChosenTopic | "security";

const flag = (name: string) => v.optional(v.boolean(`${name} must be true or false`));
/** What of it comes by letter. Letters that concern security are always sent. */
export const emailChoices = v.strictObject({ trades: v.boolean(), margin: v.boolean(), money: v.boolean(), support: v.boolean(), statements: v.boolean() });
export type EmailTopic = keyof v.InferOutput<typeof emailChoices>;
export const noticeChoices = v.strictObject({ trades: v.boolean(), margin: v.boolean(), money: v.boolean(), support: v.boolean(), email: emailChoices });
export type NoticeChoices = v.InferOutput<typeof noticeChoices>;

const emailBody = v.optional(
  v.object(
    {
      trades: flag("email.trades"),
      margin: flag("email.margin"),
      money: flag("email.money"),
      support: flag("email.support"),
      statements: flag("email.statements"),
    },
    "email must be an object of choices",
  ),
);
/** What is left out stays as it is. */
const noticeBody = v.object({ trades: flag("trades"), margin: flag("margin"), money: flag("money"), support: flag("support"), email: emailBody });

export const readNotices = endpoint("GET /api/user/notices", { answer: answer<NoticeChoices>() });
export const chooseNotices = endpoint("PATCH /api/user/notices", { body: noticeBody, answer: answer<NoticeChoices>() });
