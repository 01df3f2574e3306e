import * as v from "valibot";
import { ClosePositionPage } from "../../views/trading/ClosePositionPage";
import { CancelOrdersPage, EditOrderPage } from "../../views/trading/OrderPages";
import { accountOf } from "../accounts/queries";
import { asItCame, fit, UNFIT } from "../lib/fit";
import { notFound, Refusal } from "../lib/refusal";
import { id, idParams } from "../lib/shapes";
import type { AppContext, Me } from "../platform/app_context";
import { refusedForm } from "../platform/http/refused";
import { redirect, Routes, statusOf } from "../platform/http/routes";
import { openPositionsOf, positionOf } from "../trading/queries";
import { changedTerms, type Term, type Written, writtenTerms } from "../trading/rules_terms";
import { inScreenWords } from "../trading/rules_waiting";
import { closePosition } from "../trading/schema";
import { editAny } from "../trading/schema_orders";
import type { Trading } from "../trading/trading";

const listOf = (accountId: string | null) => `/traders-portal?${accountId ? `account=${accountId}&` : ""}tab=positions#lists`;
const cancelForm = v.object({ id: v.optional(id), account: v.optional(v.union([id, v.literal("")])) });
/** What no field can hold is cut off. */
const closeForm = v.object({
  id,
  key: id,
  amount: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.transform((text) => text.slice(0, 40)),
    ),
    "",
  ),
});
const written = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, 40)),
  ),
);
const terms = v.object({
  triggerPrice: written,
  limitPrice: written,
  stopLoss: written,
  takeProfit: written,
  trailingDistance: written,
  breakEvenAt: written,
  expiresAt: written,
});
/** `shown`: the terms as the form began, as JSON. */
const editForm = v.object({ ...terms.entries, id, shown: v.pipe(v.string(), v.maxLength(1000)) });

/** Positions and waiting orders without scripts: edit, close, cancel, cancel all, each a form that comes back to the list. */
export function orderRoutes(app: AppContext, trading: Trading): Routes {
  const { sql } = app;

  const liveOf = async (me: Me, positionId: string) => {
    const position = await positionOf(sql, me.id, positionId, trading.board());
    if (!position) throw notFound();
    return position;
  };
  const editPage = async (me: Me, positionId: string, sent: Parameters<typeof EditOrderPage>[0]["sent"], status = 200) => {
    const position = await liveOf(me, positionId);
    const isOver = position.status === "closed" || position.status === "cancelled";
    if (isOver) throw new Refusal("conflict", position.status === "closed" ? "This position is already closed." : "This order no longer waits.");
    return {
      title: `Edit ${position.symbol}`,
      surface: "product" as const,
      status,
      body: <EditOrderPage {...{ position, sent }} back={listOf(position.accountId)} />,
    };
  };

  const closePage = async (me: Me, positionId: string, sent: Parameters<typeof ClosePositionPage>[0]["sent"], status = 200) => {
    const position = await liveOf(me, positionId);
    if (position.status !== "open")
      throw new Refusal("conflict", position.status === "closed" ? "This position is already closed." : "This order is not open.");
    const account = await accountOf(sql, me.id, position.accountId, trading.board());
    return {
      title: `Close ${position.symbol}`,
      surface: "product" as const,
      status,
      body: <ClosePositionPage {...{ position, sent }} demo={account?.isDemo ?? false} closing={crypto.randomUUID()} back={listOf(position.accountId)} />,
    };
  };

  return new Routes(app, import.meta.path)
    .userPage("/positions/:id/close", ({ me, params }) => {
      const asked = fit(idParams, params);
      if (!asked.ok) throw notFound();
      return closePage(me, asked.value.id, null);
    })
    .userForm(
      "/positions/close",
      { at: (form) => `/positions/${form.id}/close`, page: ({ me, form }) => closePage(me, idIn(form), null) },
      async ({ me, form, context }) => {
        const asked = fit(closeForm, asItCame(form));
        if (!asked.ok) throw notFound();
        const { id: positionId, key, amount } = asked.value;
        const { accountId, amount: whole } = await liveOf(me, positionId);
        if (form[UNFIT]) return closePage(me, positionId, { amount, error: form[UNFIT].amount, message: "" }, 400);
        const body = fit(closePosition.body, amount === "" || amount === whole ? {} : { amount });
        if (!body.ok) return closePage(me, positionId, { amount, error: body.fields.amount, message: "" }, 400);
        try {
          await trading.close(me, positionId, body.value.amount ?? null, null, { key, fingerprint: Bun.hash(`${positionId} ${amount}`).toString(36) });
          return redirect(listOf(accountId), 303);
        } catch (error) {
          const refusal = refusedForm(app, context, error);
          if (refusal.code === "conflict") throw refusal;
          const { amount: fault } = refusal.fields ?? {};
          return closePage(me, positionId, { amount, error: fault, message: fault ? "" : refusal.message }, statusOf(refusal));
        }
      },
    )
    .userPage("/positions/:id/edit", ({ me, params }) => {
      const asked = fit(idParams, params);
      if (!asked.ok) throw notFound();
      return editPage(me, asked.value.id, null);
    })
    .userForm(
      "/positions/edit",
      { at: (form) => `/positions/${form.id}/edit`, page: ({ me, form }) => editPage(me, idIn(form), null), written: rewritten },
      async ({ me, form }) => {
        const asked = fit(editForm, asItCame(form));
        if (!asked.ok) throw notFound();
        const { id: positionId, shown: text, ...given } = asked.value;
        const sent = named(given);
        const position = await liveOf(me, positionId);
        const shown = shownIn(text) ?? writtenTerms(position);
        const again = (errors: Record<string, string>, message: string, status: number) =>
          editPage(me, positionId, { shown, written: { ...shown, ...sent }, errors, message: inScreenWords(message, position.orderType) }, status);
        if (form[UNFIT]) return again(form[UNFIT], "", 400);
        const changes = changedTerms(sent, shown);
        const checked = fit(editAny.body, changes);
        if (!checked.ok) return again(checked.fields, "", 400);
        try {
          if (Object.keys(changes).length > 0) await trading.edit(me, positionId, checked.value);
          return redirect(listOf(position.accountId), 303);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return again(error.fields ?? {}, error.fields ? "" : error.message, statusOf(error));
        }
      },
    )
    .userPage("/positions/cancel", async ({ me, context }) => {
      const asked = fit(id, context.url.searchParams.get("account"));
      const accountId = asked.ok ? asked.value : null;
      const open = await openPositionsOf(sql, me.id, trading.board());
      const count = open.filter((each) => each.status === "pending" && (!accountId || each.accountId === accountId)).length;
      return { title: "Cancel All Orders", surface: "product", body: <CancelOrdersPage {...{ count, accountId }} back={listOf(accountId)} /> };
    })
    .userForm("/positions/cancel", { at: cancelPathOf, page: ({ form }) => redirect(cancelPathOf(form), 303) }, async ({ me, form }) => {
      const asked = fit(cancelForm, form);
      if (!asked.ok || (asked.value.id === undefined && asked.value.account === undefined)) throw notFound();
      const { id: orderId, account } = asked.value;
      if (orderId === undefined) {
        await trading.cancelAll(me, account || null);
        return redirect(listOf(account || null), 303);
      }
      const { accountId } = await trading.cancel(me, orderId);
      return redirect(listOf(accountId), 303);
    });
}

function idIn(form: Record<string, string>): string {
  const asked = fit(id, form.id);
  if (!asked.ok) throw notFound();
  return asked.value;
}
/** The question before all orders are cancelled, or the list that one of them is in. */
const cancelPathOf = ({ account }: Record<string, string>) =>
  account === undefined ? listOf(null) : `/positions/cancel?account=${encodeURIComponent(account)}`;
/** The fields that do not say what they began with: what the price moved meanwhile stays where it is by now. */
const rewritten = ({ shown: text = "", ...form }: Record<string, string>) => {
  const shown: Record<string, string | undefined> = shownIn(text) ?? {};
  return Object.fromEntries(Object.entries(form).filter(([name, value]) => value !== shown[name]));
};

/** The terms that are there. */
const named = (given: { [K in Term]?: string | undefined }) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Written;

/** The terms as a form said that it had shown them; null where that can't be read. */
function shownIn(text: string): Written | null {
  try {
    const said = fit(terms, JSON.parse(text));
    return said.ok ? named(said.value) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
