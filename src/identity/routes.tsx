import { fit } from "../lib/fit";
import { ONE_LINE } from "../lib/line";
import { unauthorized } from "../lib/refusal";
import { LoginPage } from "../../views/identity/LoginPage";
import { RegisterPage } from "../../views/identity/RegisterPage";
import { SignOutPage } from "../../views/identity/SignOutPage";
import type { AppContext } from "../platform/app_context";
import { heldIn } from "../platform/http/held_forms";
import { Routes, redirect, statusOf, type RequestContext } from "../platform/http/routes";
import { refusedForm, whoAsks } from "../platform/http/refused";
import * as commands from "./commands";
import { cookieOf } from "./cookies";
import { confirmSelf } from "./commands_proof";
import { chooseNotices as keepNotices } from "./commands_notices";
import { findUser, sessionsOf } from "./queries";
import { noticeChoicesOf } from "./queries_notices";
import { safeReturn } from "./rules";
import * as calls from "./schema";
import { chooseNotices, readNotices } from "./schema_notices";

const SIGN_IN = { title: "Sign in", form: "entrance", script: "passkey" } as const;

/** The routes of registration, sign-in and one's own sessions. */
export function identityRoutes(app: AppContext) {
  app.signInPage = (context, { returnTo, held }) => ({
    ...SIGN_IN,
    status: 401,
    body: <LoginPage returnTo={safeReturn(returnTo)} ended={cookieOf(context, "sid") !== null} undone held={held} />,
  });
  return new Routes(app, import.meta.path)
    .open(calls.register, async ({ body, context }) => ({ user: await commands.registerPerson(app, context, body) }))
    .open(calls.login, async ({ body, context }) => ({ user: await commands.signIn(app, context, body) }))
    .open(calls.logout, ({ context }) => commands.signOut(app, context))
    .user(calls.currentUser, async ({ me }) => {
      const user = await findUser(app.sql, me.id);
      if (!user) throw unauthorized();
      return user;
    })
    .user(calls.confirm, async ({ me, body, context }) => {
      await confirmSelf(app.sql, me, body);
      app.log.info("proved again", whoAsks(context));
    })
    .user(calls.changePassword, async ({ me, body, context }) => {
      await commands.changePassword(app, context, me, { password: body.currentPassword, code: body.code, next: body.newPassword });
      app.log.info("password changed", whoAsks(context));
    })
    .user(calls.listSessions, ({ me }) => sessionsOf(app.sql, me.id, me.sessionId))
    .user(calls.endSession, ({ me, params }) => commands.endOwnSession(app.sql, app.bus, me, params.id))
    .user(readNotices, ({ me }) => noticeChoicesOf(app.sql, me.id))
    .user(chooseNotices, ({ me, body }) => keepNotices(app.sql, me.id, body))
    .page("/api/login", ({ context }) => {
      const target = context.url.searchParams.get("returnTo");
      return redirect(target === null ? "/login" : `/login?returnTo=${encodeURIComponent(safeReturn(target))}`);
    })
    .page("/api/auth/logout", async ({ context }) => {
      const site = context.request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin" && site !== "none") return { title: "Sign out", body: <SignOutPage /> };
      await commands.signOut(app, context);
      return redirect("/");
    })
    .form("/sign-out", async ({ context, form }) => {
      await commands.signOut(app, context);
      // With a place to go on to, somebody else wants to sign in for it.
      return redirect(form.returnTo ? `/login?returnTo=${encodeURIComponent(safeReturn(form.returnTo))}` : "/", 303);
    })
    .page("/register", ({ context, me }) =>
      me
        ? redirect("/dashboard")
        : {
            title: "Create your account",
            description: "Register in a minute: a demo account with $10,000 of virtual money opens at once, to practise forex and crypto trading.",
            form: "entrance",
            body: <RegisterPage values={{ referralCode: context.url.searchParams.get("ref")?.slice(0, 40) ?? "" }} />,
            keep: { forMs: Number.POSITIVE_INFINITY },
          },
    )
    .form("/register", async ({ context, form }) => {
      const asked = fit(calls.registerBody, form);
      const { password: _secret, ...values } = form;
      const again = (status: number, errors: Record<string, string>, message?: string) => ({
        title: "Create your account",
        status,
        form: "entrance" as const,
        body: <RegisterPage values={values} errors={errors} {...(message ? { message } : {})} />,
      });
      if (!asked.ok) return again(Object.values(asked.fields).includes(ONE_LINE) ? 422 : 400, asked.fields);
      return orAgain(app, again, context, async () => {
        await commands.registerPerson(app, context, asked.value);
        return redirect("/dashboard", 303);
      });
    })
    .page("/login", ({ context, me }) => {
      const returnTo = safeReturn(context.url.searchParams.get("returnTo"));
      if (me) return redirect(returnTo);
      return {
        ...SIGN_IN,
        description: "Sign in to your trading accounts: live charts, open positions, deposits and withdrawals.",
        // Who comes with a cookie that opens nothing any more was signed in a moment ago.
        body: <LoginPage returnTo={returnTo} ended={context.url.searchParams.has("returnTo") && cookieOf(context, "sid") !== null} />,
        keep: { forMs: Number.POSITIVE_INFINITY },
      };
    })
    .form("/login", async ({ context, form }) => {
      const returnTo = safeReturn(form.returnTo);
      const held = heldIn(form);
      const asked = fit(calls.loginBody, form);
      const again = (status: number, errors: Record<string, string>, message?: string, code?: string) => {
        const asksCode = code === "two_factor_required";
        const said = asksCode
          ? { errors: {}, message: `${message ?? ""} Your password is needed once more.`, asksCode }
          : { errors, ...(message ? { message } : {}) };
        return {
          ...SIGN_IN,
          status,
          body: <LoginPage values={{ email: form.email ?? "", code: form.code ?? "" }} returnTo={returnTo} held={held && (form.held ?? null)} {...said} />,
        };
      };
      if (!asked.ok) return again(400, asked.fields);
      return orAgain(app, again, context, async () => {
        await commands.signIn(app, context, asked.value);
        // A form that was sent without a session goes on to where it was sent, by the browser, and is shown there.
        return held ? redirect(held.path, 307) : redirect(returnTo, 303);
      });
    });
}

/** Shows the form again with what was refused; faults of ours go on to the error page. */
async function orAgain<P>(
  app: AppContext,
  again: (status: number, errors: Record<string, string>, message?: string, code?: string) => P,
  context: RequestContext,
  command: () => Promise<Response>,
) {
  try {
    return await command();
  } catch (error) {
    const refusal = refusedForm(app, context, error);
    const { fields, message, code } = refusal;
    return again(statusOf(refusal), fields ?? {}, fields && code !== "two_factor_required" ? undefined : message, code);
  }
}
