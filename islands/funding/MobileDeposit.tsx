import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useState } from "react";
import { activeWallets, type ActiveWallet, createDeposit, type Deposit, depositBody, type PaymentDetails } from "../../src/funding/schema";
import { referenceOf } from "../../src/funding/rules";
import { displayMoney } from "../../src/lib/money";
import { fit } from "../../src/lib/fit";
import { walletFor } from "../../views/funding/portal_form";
import { MobileAmount, type MobileFields, MobileSending } from "../../views/funding/MobileSteps";
import { WaitingPayments } from "../../views/funding/PaymentInstructions";
import { DepositTable } from "../../views/funding/RequestTables";
import { Button } from "../../views/ui/Button";
import { Card } from "../../views/ui/Card";
import { Dialog } from "../../views/ui/Dialog";
import { Notice } from "../../views/ui/States";
import { Icon } from "../../views/ui/Icon";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { financials } from "../runtime/trading_store";
import { useEvery } from "../runtime/every";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { CoinAmount } from "./CoinAmount";
import { ProofUpload } from "./ProofUpload";
import { deposits, refreshWallet } from "./wallet";
import { useWalletEvents } from "./wallet_events";
import { toast } from "../wire/toasts";
import { useCancel } from "./cancel";
import { WalletAddress } from "./WalletAddress";

type Props = {
  balance: string;
  /** Why the trader's level of verification takes no coins; null where it does. */
  barred: string | null;
  deposits: Deposit[];
  wallets: ActiveWallet[];
  payments: PaymentDetails[];
};

const EMPTY: MobileFields = { amount: "", currency: "USD", method: "", crypto: "" };
const offered = () => call(activeWallets);
const WAITS = "It was submitted for approval. You will see a confirmation here once it is approved.";
const COPY_CONFIRM_MS = 3000;

/** The phone's way to deposit: the balance, a sheet of two steps, and what was asked for before. */
export function MobileDeposit({ balance, barred, deposits: first, wallets: known, payments }: Props) {
  useSignals();
  useWalletEvents();
  const { busy, cancel } = useCancel();
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const [fields, setFields] = useState(EMPTY);
  const [pending, setPending] = useState(false);
  /** What the level of verification lacks: it stays, with its way, when a toast would have gone. */
  const [lacking, setLacking] = useState<string | null>(null);
  // The address on the second step is the one that staff offer at this moment.
  const { value: wallets } = useEvery(known, offered, sending);
  const wallet = walletFor(wallets, fields.crypto);
  const isCrypto = fields.method === "cryptocurrency";

  const body = {
    amount: fields.amount,
    currency: fields.currency,
    method: fields.method,
    notes: isCrypto ? `${fields.crypto} deposit from the mobile page` : "Deposit from the mobile page",
    ...(isCrypto ? { walletAddress: wallet?.walletAddress ?? null, cryptoType: fields.crypto } : {}),
  };
  const submit = async () => {
    const asked = fit(depositBody, body);
    if (!asked.ok) return refuse(Object.values(asked.fields)[0] ?? "");
    setPending(true);
    setLacking(null);
    const sent = await sendOnce(createDeposit, asked.value).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "level_required") setLacking(error.message);
      else tellRefusal("Deposit Failed", error);
      return null;
    });
    setPending(false);
    if (!sent) return;
    toast({ title: "Deposit Request Submitted", description: isCrypto ? WAITS : `Please pay now. Your reference is ${referenceOf(sent.id)}.` });
    close();
    setFields(EMPTY);
    await refreshWallet();
  };
  const next = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fault = faultOf(fields);
    if (fault) return toast({ ...fault, variant: "destructive" });
    if (!isCrypto) return submit();
    // Said before an address is shown: coins that were sent can't be called back.
    setLacking(barred);
    if (barred) return;
    const asked = fit(depositBody, body);
    if (asked.ok) setSending(true);
    else refuse(Object.values(asked.fields)[0] ?? "");
  };
  const close = () => {
    setOpen(false);
    setLacking(null);
    setSending(false);
  };
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-title font-semibold">Deposit</h1>
        <Button size="large" className="js-only" onClick={() => setOpen(true)}>
          <Icon name="plus" />
          Make a Deposit
        </Button>
      </header>
      <Card label="Balance" className="p-6">
        <p className="text-table text-soft">Account Balance</p>
        <p className="text-[2rem] font-semibold leading-10 tracking-[-0.02em] tabular-nums">{displayMoney(financials.value?.accountBalance ?? balance)}</p>
        <p className="mt-1 text-table text-soft">Your wallet, in US dollars</p>
      </Card>
      <section aria-labelledby="mobile-deposits">
        <h2 id="mobile-deposits" className="mb-2 text-heading font-semibold">
          Your deposits
        </h2>
        <WaitingPayments deposits={deposits.value ?? first} payments={payments} />
        <DepositTable
          deposits={deposits.value ?? first}
          busy={busy}
          onCancel={cancel}
          proof={(deposit) => <ProofUpload deposit={deposit} onSent={() => void refreshWallet()} />}
        />
      </section>
      <Dialog id="mobile-deposit" title={sending ? `Send ${fields.crypto}` : "Make a Deposit"} open={open} onClose={close}>
        {lacking ? (
          <Notice kind="error" className="mb-4">
            {lacking}
          </Notice>
        ) : null}
        {sending ? (
          <MobileSending
            fields={fields}
            quote={wallet ? <CoinAmount coin={wallet.currency} amount={fields.amount} currency={fields.currency as "USD" | "EUR" | "GBP"} /> : null}
            address={wallet ? <WalletAddress id="mobile-address" wallet={wallet} confirmMs={COPY_CONFIRM_MS} /> : null}
            network={wallet?.network ?? null}
            pending={pending}
            onBack={() => setSending(false)}
            onSent={() => void submit()}
          />
        ) : (
          <MobileAmount
            fields={fields}
            payments={payments}
            pending={pending}
            onField={(name, value) => setFields((before) => ({ ...before, [name]: value }))}
            onSubmit={(event) => void next(event)}
          />
        )}
      </Dialog>
    </>
  );
}

function faultOf({ amount, method, crypto }: MobileFields) {
  if (!amount || !method) return { title: "Missing Information", description: "Please fill in all required fields" };
  if (method === "cryptocurrency" && !crypto) return { title: "Select Cryptocurrency", description: "Please select a cryptocurrency" };
  return null;
}

const refuse = (description: string) => void toast({ title: "Deposit Failed", description, variant: "destructive" });

export default island("MobileDeposit", MobileDeposit);
