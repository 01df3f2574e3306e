import type * as v from "valibot";
import { fit } from "../lib/fit";
import { type Begun, type TwoFactorContent, TwoFactorPage } from "../../views/identity/TwoFactorPage";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, redirect, statusOf, type RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { refusedForm } from "../platform/http/refused";
import { listPasskeys } from "./commands_passkeys";
import * as commands from "./commands_two_factor";
import { twoFactorOf } from "./queries_two_factor";
import * as calls from "./schema_two_factor";

type Form = Record<string, string>;
type Errors = Record<string, string>;
const STEPS = ["begin", "confirm", "codes", "off"] as const;
type Step = (typeof STEPS)[number];

/** The routes of one's own second factor: the calls, and a page of plain forms that says the same. */
export function twoFactorRoutes(app: AppContext): Routes {
  const { sql } = app;
  const steps = stepsOf(app);

  return new Routes(app, import.meta.path)
    .user(calls.readTwoFactor, ({ me }) => twoFactorOf(sql, me.id))
    .user(calls.beginTwoFactor, ({ me, body }) => commands.beginTwoFactor(app, me, body.password))
    .user(calls.confirmTwoFactor, ({ context, me, body }) => commands.confirmTwoFactor(app, context, me, body.code))
    .user(calls.renewRecoveryCodes, ({ context, me, body }) => commands.renewRecoveryCodes(app, context, me, body))
    .user(calls.endTwoFactor, ({ context, me, body }) => commands.endTwoFactor(app, context, me, body))
    .userPage("/two-factor", async ({ me, context }) => page(me, await standing(app, context, me)))
    .userForm("/two-factor", { at: () => "/two-factor", page: () => redirect("/two-factor", 303) }, async ({ context, me, form }) => {
      const step = STEPS.find((each) => each === form.step);
      if (!step) return page(me, await standing(app, context, me));
      try {
        return await steps[step](context, me, form);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        const { fields, message } = refusal;
        return again(app, context, me, step, statusOf(refusal), fields ?? {}, fields ? undefined : message);
      }
    });
}

/** What each button of the page does. */
function stepsOf(app: AppContext): Record<Step, (context: RequestContext, me: Me, form: Form) => Promise<Page | Response>> {
  const fitted = async <S extends v.GenericSchema>(
    schema: S,
    context: RequestContext,
    me: Me,
    form: Form,
    command: (value: v.InferOutput<S>) => Promise<Page | Response>,
  ) => {
    const asked = fit(schema, form);
    return asked.ok ? command(asked.value) : again(app, context, me, form.step as Step, 400, asked.fields);
  };
  return {
    begin: (context, me, form) =>
      fitted(calls.passwordBody, context, me, form, async ({ password }) => page(me, { at: "begun", ...(await commands.beginTwoFactor(app, me, password)) })),
    confirm: (context, me, form) =>
      fitted(calls.codeBody, context, me, form, async ({ code }) =>
        page(me, { at: "codes", ...(await commands.confirmTwoFactor(app, context, me, code)), fresh: true }),
      ),
    codes: (context, me, form) =>
      fitted(calls.provenBody, context, me, form, async (proof) =>
        page(me, { at: "codes", ...(await commands.renewRecoveryCodes(app, context, me, proof)), fresh: false }),
      ),
    off: (context, me, form) =>
      fitted(calls.provenBody, context, me, form, async (proof) => {
        await commands.endTwoFactor(app, context, me, proof);
        return redirect("/two-factor", 303);
      }),
  };
}

/** The page as it is for somebody who comes to it. */
async function standing(app: AppContext, context: RequestContext, me: Me): Promise<TwoFactorContent> {
  const [{ since, recoveryCodes }, keys] = await Promise.all([twoFactorOf(app.sql, me.id), listPasskeys(app, context, me)]);
  return since === null ? { at: "off", keys } : { at: "on", since, left: recoveryCodes, keys };
}

/** The page once more with what was refused, at the step where it was. */
async function again(app: AppContext, context: RequestContext, me: Me, step: Step, status: number, errors: Errors, message?: string): Promise<Page> {
  const begun: Begun | null = step === "confirm" ? await commands.begunTwoFactor(app, me) : null;
  const content: TwoFactorContent = begun ? { at: "begun", ...begun } : await standing(app, context, me);
  return page(me, content, { status, step, errors, ...(message ? { message } : {}) });
}

type Said = { status: number; step: Step; errors: Errors; message?: string };

const page = (me: Me, content: TwoFactorContent, said?: Said): Page => ({
  title: "Two-factor sign-in",
  noindex: true,
  ...(said ? { status: said.status } : {}),
  body: <TwoFactorPage content={content} required={me.heldBack} staff={me.heldBack || me.role === "admin"} {...(said ? { said } : {})} />,
});
