import type * as v from "valibot";
import { fit } from "../lib/fit";
import { type Begun, type TwoFactorContent, TwoFactorPage } from "../../views/identity/TwoFactorPage";
import type { House, Me } from "../platform/house";
import { Doors, redirect, statusOf, type Visit } from "../platform/http";
import type { Page } from "../platform/page";
import { refusalOf } from "../platform/db";
import * as deeds from "./commands_two_factor";
import { twoFactorOf } from "./queries_two_factor";
import * as calls from "./schema_two_factor";

type Form = Record<string, string>;
type Errors = Record<string, string>;
const STEPS = ["begin", "confirm", "codes", "off"] as const;
type Step = (typeof STEPS)[number];

/** The doors of one's own second factor: the calls, and a page of plain forms that says the same. */
export function twoFactorDoors(house: House): Doors {
  const { sql } = house;
  const steps = stepsOf(house);

  return new Doors(house)
    .user(calls.readTwoFactor, ({ me }) => twoFactorOf(sql, me.id))
    .user(calls.beginTwoFactor, ({ me, body }) => deeds.beginTwoFactor(house, me, body.password))
    .user(calls.confirmTwoFactor, ({ visit, me, body }) => deeds.confirmTwoFactor(house, visit, me, body.code))
    .user(calls.renewRecoveryCodes, ({ visit, me, body }) => deeds.renewRecoveryCodes(house, visit, me, body))
    .user(calls.endTwoFactor, ({ visit, me, body }) => deeds.endTwoFactor(house, visit, me, body))
    .userPage("/two-factor", async ({ me }) => page(me, await standing(house, me)))
    .form("/two-factor", async ({ visit, me, form }) => {
      if (!me) return redirect("/login?returnTo=%2Ftwo-factor", 303);
      const step = STEPS.find((each) => each === form.step);
      if (!step) return page(me, await standing(house, me));
      try {
        return await steps[step](visit, me, form);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        if (refusal.retryAfter) visit.headers.set("Retry-After", String(Math.ceil(refusal.retryAfter)));
        const { fields, message } = refusal;
        return again(house, me, step, statusOf(refusal), fields ?? {}, fields ? undefined : message);
      }
    });
}

/** What each button of the page does. */
function stepsOf(house: House): Record<Step, (visit: Visit, me: Me, form: Form) => Promise<Page | Response>> {
  const fitted = async <S extends v.GenericSchema>(schema: S, me: Me, form: Form, deed: (value: v.InferOutput<S>) => Promise<Page | Response>) => {
    const asked = fit(schema, form);
    return asked.ok ? deed(asked.value) : again(house, me, form.step as Step, 400, asked.fields);
  };
  return {
    begin: (_, me, form) =>
      fitted(calls.passwordBody, me, form, async ({ password }) => page(me, { at: "begun", ...(await deeds.beginTwoFactor(house, me, password)) })),
    confirm: (visit, me, form) =>
      fitted(calls.codeBody, me, form, async ({ code }) => page(me, { at: "codes", ...(await deeds.confirmTwoFactor(house, visit, me, code)), fresh: true })),
    codes: (visit, me, form) =>
      fitted(calls.provenBody, me, form, async (proof) =>
        page(me, { at: "codes", ...(await deeds.renewRecoveryCodes(house, visit, me, proof)), fresh: false }),
      ),
    off: (visit, me, form) =>
      fitted(calls.provenBody, me, form, async (proof) => {
        await deeds.endTwoFactor(house, visit, me, proof);
        return redirect("/two-factor", 303);
      }),
  };
}

/** The page as it is for somebody who comes to it. */
async function standing(house: House, me: Me): Promise<TwoFactorContent> {
  const { since, recoveryCodes } = await twoFactorOf(house.sql, me.id);
  return since === null ? { at: "off" } : { at: "on", since, left: recoveryCodes };
}

/** The page once more with what was refused, at the step where it was. */
async function again(house: House, me: Me, step: Step, status: number, errors: Errors, message?: string): Promise<Page> {
  const begun: Begun | null = step === "confirm" ? await deeds.begunTwoFactor(house, me) : null;
  const content: TwoFactorContent = begun ? { at: "begun", ...begun } : await standing(house, me);
  return page(me, content, { status, step, errors, ...(message ? { message } : {}) });
}

type Said = { status: number; step: Step; errors: Errors; message?: string };

const page = (me: Me, content: TwoFactorContent, said?: Said): Page => ({
  title: "Two-factor sign-in",
  noindex: true,
  ...(said ? { status: said.status } : {}),
  body: <TwoFactorPage content={content} required={me.heldBack} staff={me.heldBack || me.role === "admin"} {...(said ? { said } : {})} />,
});
