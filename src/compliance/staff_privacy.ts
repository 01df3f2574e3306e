import { refuseSelf } from "../identity/commands";
import { doOrAsk } from "../identity/commands_signatures";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { eraseDeed } from "./commands_signed";
import { erasePerson } from "./schema_privacy";

/** The staff's way to close a client's account. */
export const eraseRoutes = (app: AppContext) => {
  const deed = eraseDeed(app);
  return new Routes(app, import.meta.path).decision("people.erase", erasePerson, ({ act, params: { id }, body: { reason } }) => {
    const body = { id, reason };
    return doOrAsk(app, act, deed, { body, reason, first: async () => refuseSelf(act.admin, id) }, async () => {
      const done = await app.sql.begin((tx) => deed.run(tx, act, body));
      deed.told?.(done);
      return { keptUntil: done.keptUntil };
    });
  });
};
