import { invalidField } from "../lib/refusal";
import { instruments } from "../market/rules_listed";
import type { Act, AppContext } from "../platform/app_context";
import type { Db } from "../platform/database/db";
import { type Epoch, leadFence } from "./commands";

/** Sets how much clients may hold of a symbol before staff are warned, or with null that there is no such bound; a line in the audit book each time it
 * changes. Refuses (invalid) a symbol that is not dealt. */
export async function setExposureLimit({ sql, bus }: AppContext, act: Act, symbol: string, amount: string | null): Promise<void> {
  if (!instruments.some((each) => each.symbol === symbol)) throw invalidField("symbol", "symbol must be one of ours, such as EUR/USD.");
  await sql.begin(async (tx) => {
    await tx`select refuse_own(${act.admin.id}, null)`;
    // One at a time, where there is no row to hold yet either.
    await tx`lock table exposure_limits in share row exclusive mode`;
    const [before] = await tx<{ amount: string }[]>`select amount from exposure_limits where symbol = ${symbol}`;
    if ((before?.amount ?? null) === amount) return;
    if (amount === null) await tx`delete from exposure_limits where symbol = ${symbol}`;
    else
      await tx`
        insert into exposure_limits (symbol, amount, updated_by) values (${symbol}, ${amount}, ${act.admin.id})
        on conflict (symbol) do update set amount = excluded.amount, crossed_at = null, updated_by = excluded.updated_by, updated_at = now()
      `;
    await tx`
      select audit_append(
        ${act.admin.id}, null, 'exposure.limit', ${JSON.stringify({ symbol })}::text::json, ${JSON.stringify({ limit: before?.amount ?? null })}::text::json,
        ${JSON.stringify({ limit: amount })}::text::json, '', ${act.ip}, ${act.userAgent}
      )
    `;
  });
  bus.publish("staff", { about: "correction" });
}

/** Warns staff of limits that were crossed since the last look; their symbols. Only the leader may. */
export const judgeLimits = (sql: Db, epoch: Epoch): Promise<{ symbol: string }[]> => sql`select symbol from ${leadFence(sql, epoch)}, limits_judge() as symbol`;
