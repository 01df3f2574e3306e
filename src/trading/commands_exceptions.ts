import { conflict, found, Refusal } from "../lib/refusal";
import { refusalOf } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import { exceptionById, hasCorrected } from "./queries_exceptions";
import type { Exception } from "./schema_exceptions";

/** Says that an administrator looked at an exception, once, with a line in the audit book. Nobody reviews the own correction or position. */
export async function reviewException({ sql, bus }: AppContext, act: Act, id: string, note: string): Promise<Exception> {
  const reviewed = await sql
    .begin(async (tx) => {
      const { positionId, kind, userId, reasons } = found(await exceptionById(tx, id));
      await tx`select refuse_own(${act.admin.id}, ${userId})`;
      if (kind === "correction" && (await hasCorrected(tx, act.admin.id, positionId)))
        throw new Refusal("forbidden", "You took part in this correction. Another administrator reviews it.");
      const made = await tx`
        insert into exception_reviews (position_id, kind, admin_id, note) values (${positionId}, ${kind}, ${act.admin.id}, ${note})
        on conflict do nothing returning kind
      `;
      if (made.length === 0) throw conflict("Somebody reviewed this already.");
      await tx`
        select audit_append(
          ${act.admin.id}, ${userId}, 'trade.review', ${JSON.stringify({ positionId, kind, exceptions: reasons })}::text::json, '{}', '{}', ${note}, ${act.ip},
          ${act.userAgent}
        )
      `;
      return found(await exceptionById(tx, id));
    })
    .catch((error: unknown) => {
      throw refusalOf(error) ?? error;
    });
  bus.publish("staff", { about: "correction" });
  return reviewed;
}
