import { fit } from "../lib/fit";
import { Refusal } from "../lib/refusal";
import { LoginPage } from "../../views/identity/LoginPage";
import { RegisterPage } from "../../views/identity/RegisterPage";
import { SignOutPage } from "../../views/identity/SignOutPage";
import type { House } from "../platform/house";
import { Doors, redirect, statusOf, type Visit } from "../platform/http";
import { refusalOf } from "../platform/db";
import * as deeds from "./commands";
import { findUser, sessionsOf } from "./queries";
import { safeReturn } from "./rules";
import * as calls from "./schema";

/** The doors of registration, sign-in and one's own sessions. */
export const identityDoors = (house: House) =>
  new Doors(house)
    .open(calls.register, async ({ body, visit }) => ({ user: await deeds.registerPerson(house, visit, body) }))
    .open(calls.login, async ({ body, visit }) => ({ user: await deeds.signIn(house, visit, body) }))
    .open(calls.logout, ({ visit }) => deeds.signOut(house, visit))
    .user(calls.currentUser, async ({ me }) => {
      const user = await findUser(house.sql, me.id);
      if (!user) throw new Refusal("unauthorized", "Unauthorized");
      return user;
    })
    .user(calls.confirm, ({ me, body }) => deeds.confirmPassword(house.sql, me, body.password))
    .user(calls.changePassword, ({ me, body }) => deeds.changePassword(house, me, body.currentPassword, body.newPassword))
    .user(calls.listSessions, ({ me }) => sessionsOf(house.sql, me.id, me.sessionId))
    .user(calls.endSession, ({ me, params }) => deeds.endOwnSession(house.sql, house.bus, me, params.id))
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
    .form("/sign-out", async ({ visit }) => {
      await deeds.signOut(house, visit);
      return redirect("/", 303);
    })
    .page("/register", ({ visit, me }) =>
      me
        ? redirect("/dashboard")
        : {
            title: "Create your account",
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
      return me ? redirect(returnTo) : { title: "Sign in", body: <LoginPage returnTo={returnTo} />, keep: { forMs: Number.POSITIVE_INFINITY } };
    })
    .form("/login", async ({ visit, form }) => {
      const returnTo = safeReturn(form.returnTo);
      const asked = fit(calls.loginBody, form);
      const again = (status: number, errors: Record<string, string>, message?: string) => ({
        title: "Sign in",
        status,
        body: <LoginPage values={{ email: form.email ?? "" }} errors={errors} returnTo={returnTo} {...(message ? { message } : {})} />,
      });
      if (!asked.ok) return again(400, asked.fields);
      return orAgain(again, visit, async () => {
        await deeds.signIn(house, visit, asked.value);
        return redirect(returnTo, 303);
      });
    });

/** Shows the form again with what was refused; faults of ours go on to the error page. */
async function orAgain<P>(again: (status: number, errors: Record<string, string>, message?: string) => P, visit: Visit, deed: () => Promise<Response>) {
  try {
    return await deed();
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (refusal.retryAfter) visit.headers.set("Retry-After", String(Math.ceil(refusal.retryAfter)));
    return again(statusOf(refusal), refusal.fields ?? {}, refusal.fields ? undefined : refusal.message);
  }
}
