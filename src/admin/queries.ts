import * as v from "valibot";
import { type Entitled, mayDo, type Permission } from "../lib/permissions";
import { conflict, found, Refusal } from "../lib/refusal";
import { many, one, type Sql } from "../platform/database/db";
import type { DepositForecast, DepositsForecast, Waiting } from "./schema";
import { sum } from "../lib/money";

const waitingRow = v.strictObject({
  deposits: v.number(),
  withdrawals: v.number(),
  registrations: v.number(),
  corrections: v.number(),
  support: v.number(),
  documents: v.number(),
  signatures: v.number(),
});

const NEEDS: Record<keyof Waiting, Permission> = {
  deposits: "deposits.read",
  withdrawals: "withdrawals.read",
  registrations: "people.read",
  corrections: "trades.read",
  support: "support.read",
  documents: "kyc.read",
  signatures: "signatures.read",
};
/** What waits of what somebody sees; of the rest nothing does. */
export async function waitingFor(sql: Sql, who: Entitled): Promise<Waiting> {
  const counts = Object.entries(await countWaiting(sql)) as [keyof Waiting, number][];
  return Object.fromEntries(counts.map(([kind, count]) => [kind, mayDo(who, NEEDS[kind]) ? count : 0])) as Waiting;
}

/** How many requests and registrations wait for a decision. */
export async function countWaiting(sql: Sql): Promise<Waiting> {
  const row = await one(
    waitingRow,
    sql`
      select
        (select count(*) from deposits where status = 'pending') as deposits,
        (select count(*) from withdrawals where status = 'pending') as withdrawals,
        (select count(*) from users where registration_status = 'pending' and role = 'user') as registrations,
        (
          select count(*)
          from correction_requests r
          join positions p on p.id = r.position_id and p.status = 'open'
          where not exists (select from correction_decisions d where d.request_id = r.id)
        ) as corrections,
        (select count(*) from support_tickets where waiting_since is not null)
          + (select count(*) from chat_sessions where waiting_since is not null) as support,
        (select count(*) from documents where status = 'pending' and content is not null) as documents,
        (
          select count(*) from signatures s
          where s.expires_at > now() and not exists (select from signature_decisions d where d.signature_id = s.id)
        ) as signatures
    `,
  );
  return row ?? { deposits: 0, withdrawals: 0, registrations: 0, corrections: 0, support: 0, documents: 0, signatures: 0 };
}

const forecastRow = v.strictObject({
  currency: v.string(),
  status: v.string(),
  creditsUsd: v.nullable(v.string()),
  bonus: v.string(),
  referral: v.nullable(v.string()),
});

type Rates = { EUR: string | null; GBP: string | null };

/**
 * What approval would credit and pay now, by these rates (USD for one unit; null where there is no current price), of several as if they were
 * approved one after the other as they are named: what one of them earns, no later one of its owner's does.
 */
const forecasts = (sql: Sql, ids: readonly string[], rates: Rates) =>
  many(
    forecastRow,
    sql`
      with asked as (
        select d as deposit, d.user_id, d.currency, d.status, u.referred_by, i.place,
          round(d.amount * case d.currency when 'EUR' then ${rates.EUR}::numeric when 'GBP' then ${rates.GBP}::numeric else 1 end, 2) as usd
        from unnest(${ids}::uuid[]) with ordinality i(id, place)
        join deposits d on d.id = i.id
        join users u on u.id = d.user_id
      )
      select d.currency, d.status, d.usd::text as "creditsUsd", coalesce(e.bonus, 0.00)::text as bonus, e.referral::text as referral
      from asked d
      cross join lateral (
        select sum(p.amount) filter (where p.id <> 'referral_bonus') as bonus, sum(p.amount) filter (where p.id = 'referral_bonus') as referral
        from promotions_at((d.deposit).created_at) p
        where promotion_earned(p, d.deposit, d.usd, d.referred_by)
          and not exists (select from asked b where b.user_id = d.user_id and b.place < d.place and b.status = 'pending' and b.usd >= p.minimum_deposit)
      ) e
      order by d.place
      limit 100
    `,
  );

/** What the approval of one would do. Refuses (conflict) a decided one, and (stale_price) where there is no current price. */
export async function forecastDeposit(sql: Sql, id: string, rates: Rates): Promise<DepositForecast> {
  const [row = null] = await forecasts(sql, [id], rates);
  const { currency, status, creditsUsd, bonus, referral } = found(row);
  if (status !== "pending") throw conflict(`This deposit is already ${status}.`);
  if (creditsUsd === null) throw new Refusal("stale_price", `There is no current price for ${currency}/USD. Please try again later.`, undefined, 5);
  return { creditsUsd, bonus, referral };
}

/** What the approval of several would do, in sum; what can't be approved now is left out. */
export async function forecastDeposits(sql: Sql, ids: readonly string[], rates: Rates): Promise<DepositsForecast> {
  const able = (await forecasts(sql, ids, rates)).filter(({ status, creditsUsd }) => status === "pending" && creditsUsd !== null);
  const earning = able.filter(({ bonus }) => bonus !== "0.00");
  return {
    creditsUsd: sum(able.map(({ creditsUsd }) => creditsUsd ?? "0.00")),
    bonuses: { count: earning.length, usd: sum(earning.map(({ bonus }) => bonus)) },
    referrals: sum(able.map(({ referral }) => referral ?? "0.00")),
  };
}
