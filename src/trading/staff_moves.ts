import { findMember } from "../identity/queries";
import { found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { moveAccount } from "./commands_moves";
import { heldAccounts } from "./queries_moves";
import * as calls from "./schema_moves";
import type { Trading } from "./trading";

/** The staff's routes to a client's accounts and the groups that they are in. */
export const moveRoutes = (app: AppContext, trading: Trading) =>
  new Routes(app, import.meta.path)
    .admin("people.read", calls.listHeldAccounts, async ({ me, params }) => {
      found(await findMember(app.sql, params.id));
      return heldAccounts(app.sql, me, params.id, trading.board());
    })
    .decision("groups.move", calls.moveAccount, ({ act, params, body }) => moveAccount(app, act, params.id, body));
