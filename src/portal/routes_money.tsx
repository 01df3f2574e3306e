import { CryptoDepositPage } from "../../views/funding/CryptoDepositPage";
import { MobileDepositPage } from "../../views/funding/MobileDepositPage";
import { monthOf } from "../../views/funding/months";
import { portalFault, portalForm, walletFor } from "../../views/funding/portal_form";
import { StatementPage } from "../../views/funding/StatementPage";
import { financialsOf } from "../accounts/queries";
import { announceRequest } from "../funding/announce";
import { requestDeposit } from "../funding/commands";
import { activeWallets, depositsOf, promotions } from "../funding/queries";
import { statementOf } from "../funding/queries_history";
import { portalDeposit } from "../funding/routes";
import { type Deposit, readStatement } from "../funding/schema";
import { fit } from "../lib/fit";
import { notFound } from "../lib/refusal";
import { refusalOf } from "../platform/db";
import type { House, Me } from "../platform/house";
import { Doors, redirect, statusOf } from "../platform/http";
import type { Page } from "../platform/page";

const LIST = 100;
const PRODUCT = { look: "product" } as const;

type Again = { status?: number; values?: Record<string, string>; errors?: Record<string, string>; message?: string; sent?: Deposit | null };

/** The trader's pages about money: in, and on paper. */
export function moneyPageDoors(house: House): Doors {
  const { sql, config } = house;

  /** The crypto portal; a visitor sees the form, but no wallet. */
  async function depositPage(me: Me | null, { status = 200, values = {}, errors = {}, message, sent = null }: Again = {}): Promise<Page> {
    const [wallets, promised] = await Promise.all([me ? activeWallets(sql) : [], promotions(sql)]);
    const body = <CryptoDepositPage signedIn={me !== null} message={message ?? null} promotions={promised} {...{ wallets, values, errors, sent }} />;
    const description = "Deposit in Bitcoin, Ethereum, USDT or Litecoin: the amount, the network and the address to send to. Most arrive in 5 to 30 minutes.";
    return { title: "Make a Deposit", description, ...PRODUCT, status, body };
  }

  return new Doors(house)
    .page("/deposit", async ({ me, visit }) => {
      const id = visit.url.searchParams.get("sent");
      const sent = me && id ? (await depositsOf(sql, me.id, { limit: LIST })).find((deposit) => deposit.id === id) : null;
      return depositPage(me, { sent: sent ?? null });
    })
    .form("/deposit", async ({ me, form }) => {
      if (!me) return redirect("/login?returnTo=/deposit", 303);
      const asked = fit(portalForm, form);
      if (!asked.ok) return depositPage(me, { status: 400, values: form, errors: asked.fields, message: portalFault(asked.fields).description });
      try {
        const wallet = walletFor(await activeWallets(sql), asked.value.currency, asked.value.network);
        const announced = await portalDeposit(house, { ...asked.value, method: "cryptocurrency", walletUsed: wallet?.walletAddress ?? "", outputIndex: 0 });
        const { answer } = await requestDeposit(sql, me.id, announced, null);
        announceRequest(house.bus, "deposit", answer);
        return redirect(`/deposit?sent=${answer.id}`, 303);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        return depositPage(me, { status: statusOf(refusal), values: form, errors: refusal.fields ?? {}, message: refusal.message });
      }
    })
    .userPage("/mobile-deposit", async ({ me }) => {
      const [financials, deposits, wallets] = await Promise.all([financialsOf(sql, me.id), depositsOf(sql, me.id, { limit: LIST }), activeWallets(sql)]);
      if (!financials) throw notFound();
      return { title: "Deposit", ...PRODUCT, body: <MobileDepositPage balance={financials.accountBalance} {...{ deposits, wallets }} /> };
    })
    .userPage("/statements/:accountId", async ({ me, params, visit }) => {
      const thisMonth = monthOf(new Date());
      const asked = fit(readStatement.query, { accountId: params.accountId, month: visit.url.searchParams.get("month") ?? thisMonth });
      if (!asked.ok) throw notFound();
      const statement = await statementOf(sql, me.id, asked.value.month, asked.value.accountId);
      const person = `${me.firstName} ${me.lastName}, ${me.email}`;
      return { title: `Statement ${asked.value.month}`, ...PRODUCT, body: <StatementPage brand={config.brandName} {...{ statement, person, thisMonth }} /> };
    });
}
