import { AddressBookPage, type BookSaid } from "../../views/funding/AddressBookPage";
import { fit } from "../lib/fit";
import type { AppContext, Me } from "../platform/app_context";
import { redirect, Routes, statusOf } from "../platform/http/routes";
import { refusedForm } from "../platform/http/refused";
import type { Page } from "../platform/page/page";
import { confirm } from "../identity/schema";
import { confirmSelf } from "../identity/commands_proof";
import { twoFactorOf } from "../identity/queries_two_factor";
import * as commands from "./commands_addresses";
import * as calls from "./schema_addresses";

/** The routes of the address book: calls, and a page of plain forms. */
export function addressRoutes(app: AppContext): Routes {
  const { sql, config } = app;
  const page = async (me: Me, status = 200, said?: BookSaid): Promise<Page> => {
    const [addresses, { since }] = await Promise.all([commands.addressesOf(sql, me.id), twoFactorOf(sql, me.id)]);
    const cooldownHours = config.withdrawalCooldown / 3_600_000;
    return {
      title: "Withdrawal addresses",
      noindex: true,
      ...(status === 200 ? {} : { status }),
      body: <AddressBookPage {...{ addresses, cooldownHours }} asksCode={since !== null} {...(said ? { said } : {})} />,
    };
  };
  return new Routes(app, import.meta.path)
    .user(calls.listAddresses, ({ me }) => commands.addressesOf(sql, me.id))
    .user(calls.addAddress, ({ me, body }) => commands.addAddress(app, me, body))
    .user(calls.renameAddress, ({ me, params, body }) => commands.renameAddress(sql, me, params.id, body.name))
    .user(calls.removeAddress, ({ me, params }) => commands.removeAddress(sql, me, params.id))
    .userPage("/withdrawal-addresses", ({ me }) => page(me))
    .userForm("/withdrawal-addresses", { at: () => "/withdrawal-addresses", page: ({ me }) => page(me) }, async ({ context, form, me }) => {
      try {
        if (form.remove) {
          await commands.removeAddress(sql, me, form.remove);
          return redirect("/withdrawal-addresses", 303);
        }
        const asked = fit(calls.addressBody, form);
        const proof = fit(confirm.body, form);
        if (!asked.ok || !proof.ok)
          return await page(me, 400, { values: form, errors: { ...(asked.ok ? {} : asked.fields), ...(proof.ok ? {} : proof.fields) } });
        await confirmSelf(sql, me, proof.value);
        await commands.addAddress(app, me, asked.value);
        return redirect("/withdrawal-addresses", 303);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return page(me, statusOf(refusal), { values: form, errors: refusal.fields ?? {}, ...(refusal.fields ? {} : { message: refusal.message }) });
      }
    });
}
