import { CryptoDepositPage } from "../../views/funding/CryptoDepositPage";
import { MobileDepositPage } from "../../views/funding/MobileDepositPage";
import { monthOf } from "../../views/funding/months";
import { portalFault, portalForm, walletFor } from "../../views/funding/portal_form";
import { StatementPage } from "../../views/funding/StatementPage";
import { hasDeposited } from "./queries";
import { financialsOf } from "../accounts/queries";
import { coinsBarred } from "../compliance/queries";
import { announceRequest } from "../funding/announce";
import { requestDeposit } from "../funding/commands";
import { activeWallets, depositsOf, promotions } from "../funding/queries";
import { offeredPayments } from "../funding/queries_payments";
import { statementOf } from "../funding/queries_history";
import { portalDeposit } from "../funding/requests";
import { type Deposit, readStatement } from "../funding/schema";
import { fit } from "../lib/fit";
import { notFound } from "../lib/refusal";
import { refusedForm } from "../platform/http/refused";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, redirect, statusOf } from "../platform/http/routes";
import type { Page } from "../platform/page/page";

const LIST = 100;
const PRODUCT = { surface: "product" } as const;

type Again = { status?: number; values?: Record<string, string>; errors?: Record<string, string>; message?: string; sent?: Deposit | null };

/** The trader's pages about money: in, and on paper. */
export function moneyPageRoutes(app: AppContext): Routes {
  const { sql } = app;

  /** The crypto portal; a visitor sees the form, but no wallet. */
  async function depositPage(me: Me | null, { status = 200, values = {}, errors = {}, message, sent = null }: Again = {}): Promise<Page> {
    const [barred, wallets, payments, promised, deposited] = await Promise.all([
      me ? coinsBarred(sql, me.id) : null,
      me ? activeWallets(sql) : [],
      me ? offeredPayments(sql) : [],
      promotions(sql, me?.id ?? null),
      me ? hasDeposited(sql, me.id) : false,
    ]);
    const body = (
      <CryptoDepositPage
        signedIn={me !== null}
        message={message ?? null}
        promotions={promised}
        {...{ deposited, barred, wallets, payments, values, errors, sent }}
      />
    );
    const description = "Deposit in Bitcoin, Ethereum, USDT or Litecoin: the amount, the network and the address to send to. Most arrive in 5 to 30 minutes.";
    return { title: "Make a Deposit", description, ...PRODUCT, status, body };
  }

  return new Routes(app, import.meta.path)
    .page("/deposit", async ({ me, context }) => {
      const id = context.url.searchParams.get("sent");
      const sent = me && id ? (await depositsOf(sql, me.id, { limit: LIST })).find((deposit) => deposit.id === id) : null;
      return depositPage(me, { sent: sent ?? null });
    })
    .userForm("/deposit", { at: () => "/deposit", page: ({ me }) => depositPage(me) }, async ({ context, me, form }) => {
      const asked = fit(portalForm, form);
      if (!asked.ok) return depositPage(me, { status: 400, values: form, errors: asked.fields, message: portalFault(asked.fields).description });
      try {
        const wallet = walletFor(await activeWallets(sql), asked.value.currency, asked.value.network);
        const announced = await portalDeposit(app, { ...asked.value, method: "cryptocurrency", walletUsed: wallet?.walletAddress ?? "", outputIndex: 0 });
        const { answer } = await requestDeposit(app, me.id, announced, null);
        announceRequest(app.bus, "deposit", answer);
        return redirect(`/deposit?sent=${answer.id}`, 303);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return depositPage(me, { status: statusOf(refusal), values: form, errors: refusal.fields ?? {}, message: refusal.message });
      }
    })
    .userPage("/mobile-deposit", async ({ me }) => {
      const [barred, financials, deposits, wallets, payments] = await Promise.all([
        coinsBarred(sql, me.id),
        financialsOf(sql, me.id),
        depositsOf(sql, me.id, { limit: LIST }),
        activeWallets(sql),
        offeredPayments(sql),
      ]);
      if (!financials) throw notFound();
      return { title: "Deposit", ...PRODUCT, body: <MobileDepositPage balance={financials.accountBalance} {...{ barred, deposits, wallets, payments }} /> };
    })
    .userPage("/statements/:accountId", async ({ me, params, context }) => {
      const thisMonth = monthOf(new Date());
      const asked = fit(readStatement.query, { accountId: params.accountId, month: context.url.searchParams.get("month") ?? thisMonth });
      if (!asked.ok) throw notFound();
      const statement = await statementOf(await app.reading(), me.id, asked.value.month, asked.value.accountId);
      const person = `${me.firstName} ${me.lastName}, ${me.email}`;
      return { title: `Statement ${asked.value.month}`, ...PRODUCT, body: <StatementPage brand={app.brand.name} {...{ statement, person, thisMonth }} /> };
    });
}
