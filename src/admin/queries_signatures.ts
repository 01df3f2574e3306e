import { DEED_NEEDS } from "../identity/commands_signature_rules";
import type { Signature } from "../identity/schema_signatures";
import { signatureRow } from "../identity/schema_signatures";
import { type Entitled, mayDo, type Permission } from "../lib/permissions";
import { many, type Sql } from "../platform/database/db";

/** What waits for a second person, of all kinds in one list: deeds, roles and corrections, each from where it is kept. */

/** Who sees what a deed would change: whoever could sign it, or sees what it is about. */
const SEES: Record<Signature["deed"], Permission> = {
  deposit: "deposits.read",
  withdrawal: "withdrawals.read",
  wallet: "wallets.read",
  compliance: "kyc.read",
  erase: "people.read",
  costs: "groups.read",
  margin: "instruments.read",
  promotion: "promotions.read",
  correction: "trades.read",
  role: "roles.read",
  rules: "signatures.read",
};

const MOST = 100;

/** The newest first; shown is what `who` may see. */
export async function signaturesFor(sql: Sql, who: Entitled, status: "all" | Signature["status"]): Promise<Signature[]> {
  const deeds = (Object.keys(SEES) as Signature["deed"][]).filter((deed) => mayDo(who, SEES[deed]) || mayDo(who, DEED_NEEDS[deed]));
  return many(
    signatureRow,
    sql`
      select w.id, w.deed, w.status, w.title, w.permission, w.admin_id as "adminUserId", a.first_name || ' ' || a.last_name as administrator,
        w.user_id as "userId", w.reason, w.before, w.after, w.created_at as "createdAt", w.expires_at as "expiresAt",
        d.first_name || ' ' || d.last_name as "decidedBy", w.decision_reason as "decisionReason", w.decided_at as "decidedAt"
      from (
        select s.id, s.deed, coalesce(case when d.admin_id = s.admin_id then 'withdrawn' else d.decision end, case when s.expires_at <= now() then 'expired' else 'pending' end) as status, s.title, s.permission,
          s.admin_id, s.user_id, s.reason, s.before, s.after, s.created_at, s.expires_at, d.admin_id as decider, d.reason as decision_reason,
          d.created_at as decided_at
        from signatures s
        left join signature_decisions d on d.signature_id = s.id
        union all
        select r.id, 'role', case d.decision when 'confirmed' then 'signed' when 'declined' then 'declined'
            else case when u.staff_role = coalesce(r.staff_role, 'owner') then 'lapsed' else 'pending' end end,
          'Make ' || u.first_name || ' ' || u.last_name || case coalesce(r.staff_role, 'owner') when 'owner' then ' an owner' else ': ' || t.name end,
          ${DEED_NEEDS.role}, r.admin_id, r.user_id, r.reason, jsonb_build_object('role', case when d.decision is null then coalesce(u.staff_role, 'user') end),
          jsonb_build_object('role', coalesce(r.staff_role, 'owner')), r.created_at, null, d.admin_id, d.reason, d.created_at
        from role_requests r
        join users u on u.id = r.user_id
        join staff_roles t on t.id = coalesce(r.staff_role, 'owner')
        left join role_decisions d on d.request_id = r.id
        union all
        select r.id, 'correction', case d.decision when 'confirmed' then 'signed' when 'declined' then 'declined'
            else case when p.status = 'open' then 'pending' else 'lapsed' end end,
          'Settle ' || upper(p.side) || ' ' || p.symbol || ' of ' || u.first_name || ' ' || u.last_name || ' with ' || r.settled_profit::text, ${DEED_NEEDS.correction},
          r.admin_id, p.user_id, r.reason, jsonb_build_object('status', 'open', 'result', r.market_profit::text),
          jsonb_build_object('status', 'closed', 'result', r.settled_profit::text), r.created_at, null, d.admin_id, d.reason, d.created_at
        from correction_requests r
        join positions p on p.id = r.position_id
        join users u on u.id = p.user_id
        left join correction_decisions d on d.request_id = r.id
      ) w
      join users a on a.id = w.admin_id
      left join users d on d.id = w.decider
      where w.deed = any (${deeds as string[]}::text[]) and (${status} = 'all' or w.status = ${status})
      order by w.created_at desc, w.id desc
      limit ${MOST}
    `,
  );
}

/** Where a request of that id is kept. */
export async function keptIn(sql: Sql, id: string): Promise<"signatures" | "roles" | "corrections" | null> {
  const [row] = await sql<{ place: "signatures" | "roles" | "corrections" | null }[]>`
    select case
      when exists (select from signatures where id = ${id}) then 'signatures'
      when exists (select from role_requests where id = ${id}) then 'roles'
      when exists (select from correction_requests where id = ${id}) then 'corrections'
    end as place
  `;
  return row?.place ?? null;
}
