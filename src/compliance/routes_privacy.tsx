import { ClosedPage, MyDataPage, type PrivacySaid } from "../../views/compliance/MyDataPage";
import { confirmSelf } from "../identity/commands_proof";
import { twoFactorOf } from "../identity/queries_two_factor";
import { confirm } from "../identity/schema";
import { fit } from "../lib/fit";
import type { AppContext, Me } from "../platform/app_context";
import { refusedForm } from "../platform/http/refused";
import { redirect, Routes, statusOf } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import * as commands from "./commands_privacy";
import * as calls from "./schema_privacy";
import type { Vault } from "./vault";

/** The routes to one's own data, and out: calls, and a page of plain forms. */
export function privacyRoutes(app: AppContext, vault: Vault): Routes {
  const { sql, config } = app;
  const page = async (me: Me, status = 200, said?: PrivacySaid): Promise<Page> => {
    const [exports, { since }] = await Promise.all([commands.exportsOf(sql, me.id), twoFactorOf(sql, me.id)]);
    return {
      title: "Your data",
      noindex: true,
      ...(status === 200 ? {} : { status }),
      body: <MyDataPage {...{ exports }} years={config.recordsKeptYears} asksCode={since !== null} {...(said ? { said } : {})} />,
    };
  };
  return new Routes(app, import.meta.path)
    .user(calls.listExports, ({ me }) => commands.exportsOf(sql, me.id))
    .user(calls.askExport, ({ me }) => commands.askExport(app, me))
    .user(calls.readExport, async ({ me, params }) => {
      const file = await commands.exportFile(app, vault, me, params.id);
      return new Response(file as Uint8Array<ArrayBuffer>, {
        headers: {
          "Content-Type": "application/zip",
          "Content-Disposition": `attachment; filename="my-data-${params.id.slice(0, 8)}.zip"`,
          "Content-Security-Policy": "default-src 'none'; sandbox",
        },
      });
    })
    .user(calls.closeSelf, ({ me }) => commands.closeSelf(app, me))
    .userPage("/my-data", ({ me }) => page(me))
    .userForm("/my-data", { at: () => "/my-data", page: ({ me }) => page(me) }, async ({ context, form, me }) => {
      try {
        if (form.step !== "close") {
          await commands.askExport(app, me);
          return redirect("/my-data", 303);
        }
        const [asked, proof] = [fit(calls.closeSelf.body, form), fit(confirm.body, form)];
        if (!asked.ok || !proof.ok) return await page(me, 400, { errors: { ...(asked.ok ? {} : asked.fields), ...(proof.ok ? {} : proof.fields) } });
        await confirmSelf(sql, me, proof.value);
        const { keptUntil } = await commands.closeSelf(app, me);
        context.me = null;
        return { title: "Account closed", noindex: true, body: <ClosedPage until={keptUntil} /> };
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return page(me, statusOf(refusal), { errors: refusal.fields ?? {}, ...(refusal.fields ? {} : { message: refusal.message }) });
      }
    });
}
