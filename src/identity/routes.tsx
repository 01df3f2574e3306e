import { fit } from "../lib/fit";
import { unauthorized } from "../lib/refusal";
import { LoginPage } from "../../views/identity/LoginPage";
import { RegisterPage } from "../../views/identity/RegisterPage";
import { SignOutPage } from "../../views/identity/SignOutPage";
import type { House } from "../platform/house";
import { Doors, redirect, statusOf, type Visit } from "../platform/http";
import { refusalOf } from "../platform/db";
import * as deeds from "./commands";
import { chooseNotices as keepNotices } from "./commands_notices";
import { findUser, sessionsOf } from "./queries";
import { noticeChoicesOf } from "./queries_notices";
import { safeReturn } from "./rules";
import * as calls from "./schema";
import { chooseNotices, readNotices } from "./schema_notices";

/** The doors of registration, sign-in and one's own sessions. */
export const identityDoors = (house: House) =>
  new Doors(house)
    .open(calls.register, async ({ body, visit }) => ({ user: await deeds.registerPerson(house, visit, body) }))
    .open(calls.login, async ({ body, visit }) => ({ user: await deeds.signIn(house, visit, body) }))
    .open(calls.logout, ({ visit }) => deeds.signOut(house, visit))
    .user(calls.currentUser, async ({ me }) => {
      const user = await findUser(house.sql, me.id);
      if (!user) throw unauthorized();
      return user;
    })
    .user(calls.confirm, ({ me, body }) => deeds.confirmPassword(house.sql, me, body.password))
    .user(calls.changePassword, ({ me, body }) => deeds.changePassword(house, me, body.currentPassword, body.newPassword))
    .user(calls.listSessions, ({ me }) => sessionsOf(house.sql, me.id, me.sessionId))
    .user(calls.endSession, ({ me, params }) => deeds.endOwnSession(house.sql, house.bus, me, params.id))
    .user(readNotices, ({ me }) => noticeChoicesOf(house.sql, me.id))
    .user(chooseNotices, ({ me, body }) => keepNotices(house.sql, me.id, body))
    .page("/api/login", ({ visit }) => {
      const target = visit.url.searchParams.get("returnTo");
      return redirect(target === null ? "/login" : `/login?returnTo=${encodeURIComponent(safeReturn(target))}`);
    })
    .page("/api/auth/logout", async ({ visit }) => {
      const site = visit.request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin" && site !== "none") return { title: "Sign out", body: <SignOutPage /> };
      await deeds.signOut(house, visit);
      return redirect("/");
    })
    .form("/sign-out", async ({ visit, form }) => {
      await deeds.signOut(house, visit);
      // With a place to go on to, somebody else wants to sign in for it.
      return redirect(form.returnTo ? `/login?returnTo=${encodeURIComponent(safeReturn(form.returnTo))}` : "/", 303);
    })
    .page("/register", ({ visit, me }) =>
      me
        ? redirect("/dashboard")
        : {
            title: "Create your account",
            description: "Register in a minute: a demo account with $10,000 of virtual money opens at once, to practise forex and crypto trading.",
            form: "entrance",
            body: <RegisterPage values={{ referralCode: visit.url.searchParams.get("ref")?.slice(0, 40) ?? "" }} />,
            keep: { forMs: Number.POSITIVE_INFINITY },
          },
    )
    .form("/register", async ({ visit, form }) => {
      const asked = fit(calls.registerBody, form);
      const { password: _secret, ...values } = form;
      const again = (status: number, errors: Record<string, string>, message?: string) => ({
        title: "Create your account",
        status,
        form: "entrance" as const,
        body: <RegisterPage values={values} errors={errors} {...(message ? { message } : {})} />,
      });
      if (!asked.ok) return again(400, asked.fields);
      return orAgain(again, visit, async () => {
        await deeds.registerPerson(house, visit, asked.value);
        return redirect("/dashboard", 303);
      });
    })
    .page("/login", ({ visit, me }) => {
      const returnTo = safeReturn(visit.url.searchParams.get("returnTo"));
      if (me) return redirect(returnTo);
      return {
        title: "Sign in",
        description: "Sign in to your trading accounts: live charts, open positions, deposits and withdrawals.",
        form: "entrance",
        body: <LoginPage returnTo={returnTo} />,
        keep: { forMs: Number.POSITIVE_INFINITY },
      };
    })
    .form("/login", async ({ visit, form }) => {
      const returnTo = safeReturn(form.returnTo);
      const asked = fit(calls.loginBody, form);
      const again = (status: number, errors: Record<string, string>, message?: string, code?: string) => {
        const asksCode = code === "two_factor_required";
        const said = asksCode
          ? { errors: {}, message: `${message ?? ""} Your password is needed once more.`, asksCode }
          : { errors, ...(message ? { message } : {}) };
        return {
          title: "Sign in",
          status,
          form: "entrance" as const,
          body: <LoginPage values={{ email: form.email ?? "", code: form.code ?? "" }} returnTo={returnTo} {...said} />,
        };
      };
      if (!asked.ok) return again(400, asked.fields);
      return orAgain(again, visit, async () => {
        await deeds.signIn(house, visit, asked.value);
        return redirect(returnTo, 303);
      });
    });

/** Shows the form again with what was refused; faults of ours go on to the error page. */
async function orAgain<P>(
  again: (status: number, errors: Record<string, string>, message?: string, code?: string) => P,
  visit: Visit,
  deed: () => Promise<Response>,
) {
  try {
    return await deed();
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (refusal.retryAfter) visit.headers.set("Retry-After", String(Math.ceil(refusal.retryAfter)));
    const { fields, message, code } = refusal;
    return again(statusOf(refusal), fields ?? {}, fields && code !== "two_factor_required" ? undefined : message, code);
  }
}
