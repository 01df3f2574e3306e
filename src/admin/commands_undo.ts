import { conflict } from "../lib/refusal";
import type { Tx } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import { decide } from "../identity/commands_standing";

/** Screens offer to undo for eight seconds; the database allows four more, for the way that the command takes. */
const UNDO_WITHIN = "12 seconds";

/**
 * Takes back one's own decision on a registration, which then waits again. Refuses (conflict) the decision of somebody else, one made
 * more than twelve seconds ago by the database's clock, one that was taken back already, and an approval on which the person has
 * acted: with the accounts and the wallet held, no order, transfer or withdrawal slips in between.
 */
export const undoRegistration = (app: AppContext, act: Act, target: string) =>
  decide(app, act, {
    action: "registration.undo",
    target,
    reason: "",
    decide: () => ({ registration_status: "pending", registration_reason: null, approved_by: null, approved_at: null }),
    forbids: async (tx) => {
      const [last] = await tx<{ admin: string; action: string; at: string; fresh: boolean }[]>`
        select admin_user_id as admin, action, created_at::text as at, created_at > clock_timestamp() - ${UNDO_WITHIN}::interval as fresh
        from admin_actions
        where target_user_id = ${target} and action in ('registration.approve', 'registration.reject', 'registration.undo')
        order by id desc
        limit 1
      `;
      if (!last || last.action === "registration.undo") throw conflict("There is no decision on this registration to undo.");
      if (last.admin !== act.admin.id) throw conflict("Another administrator decided this registration.");
      if (!last.fresh) throw conflict("It is too late to undo this decision.");
      if (last.action === "registration.approve") await refuseActedUpon(tx, target, last.at);
    },
    notice: { title: "Your registration is looked at again", message: "It awaits approval until then.", kind: "warning" },
  });

/** Refuses (conflict) where the person has done since `at` what only an approved one may. Holds accounts and wallet from here on. */
async function refuseActedUpon(tx: Tx, target: string, at: string) {
  const [held] = await tx<{ used: boolean }[]>`select approval_hold(${target}, ${at}::timestamptz) as used`;
  if (held?.used) throw conflict("This person has already traded, withdrawn or moved money on this approval, so it can't be undone.");
  const [person] = await tx<{ role: string }[]>`select role from users where id = ${target}`;
  if (person?.role === "admin") throw conflict("This person is an administrator by now.");
}
