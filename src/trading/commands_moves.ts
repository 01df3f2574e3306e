import type { InferOutput } from "valibot";
import { notice } from "../accounts/queries_groups";
import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Moved, moveBody } from "./schema_moves";

/**
 * Moves an account to another group; its owner is told. Refuses (conflict) one that was moved meanwhile or is closed, and with the field `group`
 * where its owner may not be (not_funded, not_served).
 */
export async function moveAccount(app: AppContext, { admin, ip, userAgent }: Act, accountId: string, { group, version, reason }: InferOutput<typeof moveBody>) {
  const [row] = await app.sql<{ moved: Moved & { userId: string } }[]>`
    select account_move(${admin.id}, ${accountId}, ${group}, ${version}, ${notice(app.sql)}, ${reason}, ${ip}, ${userAgent}) as moved
  `;
  const { userId, ...moved } = found(row ?? null).moved;
  app.bus.publish("staff", { about: "person" });
  app.bus.publish("account", { userId, accountId });
  app.bus.publish("personNews", {});
  return moved;
}
