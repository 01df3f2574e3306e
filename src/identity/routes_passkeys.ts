import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import { askPasskey } from "./commands_passkey_proof";
import * as commands from "./commands_passkeys";
import * as calls from "./schema_passkeys";

/** The routes of passkeys. */
export const passkeyRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .open(calls.askPasskey, ({ context }) => askPasskey(app, context, null))
    .open(calls.loginByPasskey, async ({ body, context }) => ({ user: await commands.signInByPasskey(app, context, body.response) }))
    .user(calls.askOwnPasskey, ({ me, context }) => askPasskey(app, context, me))
    .user(calls.confirmByPasskey, async ({ me, body, context }) => {
      await commands.confirmByPasskey(app, context, me, body.response);
      app.log.info("proved again", { ...whoAsks(context), passkey: true });
    })
    .user(calls.listPasskeys, ({ me, context }) => commands.listPasskeys(app, context, me))
    .user(calls.beginPasskey, ({ me, context }) => commands.beginPasskey(app, context, me))
    .user(calls.addPasskey, ({ me, body, context }) => commands.addPasskey(app, context, me, body))
    .user(calls.renamePasskey, ({ me, params, body }) => commands.renamePasskey(app.sql, me, params.id, body.name))
    .user(calls.removePasskey, ({ me, params, context }) => commands.removePasskey(app, context, me, params.id));
