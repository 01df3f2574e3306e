import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { NETWORKS_OF, walletMissing } from "../../src/funding/rules";
import { activeWallets, type ActiveWallet, type Coin, coins, createDepositRequest, type Deposit, networks } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { AmountField } from "../../views/funding/AmountField";
import { PORTAL_NAMES, portalFault, portalForm, walletFor } from "../../views/funding/portal_form";
import { outcomeOf } from "../../views/funding/words";
import { Button } from "../../views/ui/Button";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { useEvery } from "../runtime/every";
import { tellRefusal } from "../wire/attempt";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { CoinAmount } from "./CoinAmount";
import { ProofUpload } from "./ProofUpload";
import { deposits } from "./wallet";
import { useWalletEvents } from "./wallet_events";
import { toast } from "../wire/toasts";
import { WalletAddress } from "./WalletAddress";

export type CryptoDepositProps = {
  signedIn: boolean;
  /** Why the trader's level of verification takes no coins: said in place of an address. */
  barred: string | null;
  wallets: ActiveWallet[];
  /** From a post without scripts: what was written, its messages, and the banner. */
  values: Record<string, string>;
  errors: Record<string, string>;
  message: string | null;
  /** The request that was just submitted. */
  sent: Deposit | null;
};

const neverChanges = () => () => {};
const offered = () => call(activeWallets);
/** The networks by which the coin can be sent to one of these wallets. */
const networksFor = (wallets: readonly ActiveWallet[], coin: Coin) => NETWORKS_OF[coin].filter((network) => walletFor(wallets, coin, network));
const isCoin = (name: string): name is Coin => coins.some((coin) => coin === name);

/** The crypto portal's form. Works as a plain form post without scripts. */
export function CryptoDeposit({ signedIn, barred, wallets: known, values, errors, message, sent: first }: CryptoDepositProps) {
  const [currency, setCurrency] = useState(values.currency ?? "");
  const [network, setNetwork] = useState(values.network ?? "");
  const [amount, setAmount] = useState(values.amount ?? "");
  const [sent, setSent] = useState(first);
  // An address that staff took off the list may not stay on the screen of somebody who is about to send coins to it.
  const { value: wallets, refresh } = useEvery(known, offered, signedIn && !barred && currency !== "");
  const wallet = barred ? undefined : walletFor(wallets, currency, network);
  // Without scripts a coin can be changed after this was drawn, so nothing follows from it yet.
  const awake = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const choices = awake && isCoin(currency) ? networksFor(wallets, currency) : networks;
  const isClosed = signedIn && (barred !== null || wallets.length === 0 || (awake && currency !== "" && (choices.length === 0 || (network !== "" && !wallet))));

  const pickCurrency = (name: string) => {
    setCurrency(name);
    if (!isCoin(name)) return;
    const [only = "", ...more] = networksFor(wallets, name);
    setNetwork(more.length ? "" : only);
  };
  const { messages, unsaid, pending, form } = useForm({
    schema: portalForm,
    names: PORTAL_NAMES,
    errors,
    after: "again",
    send: async (asked, element) => {
      const used = walletFor(wallets, asked.currency, asked.network);
      setSent(await sendOnce(createDepositRequest, { ...asked, walletUsed: used?.walletAddress ?? null }));
      toast({
        title: "Deposit Request Submitted",
        description: "Your deposit request was submitted for approval. You will receive a confirmation once it is approved.",
      });
      element.reset();
      setAmount("");
      setCurrency("");
      setNetwork("");
    },
    onInvalid: (fields) => toast({ ...portalFault(fields), variant: "destructive" }),
    onFailure: (error) => {
      tellRefusal("Submission Failed", error, "Failed to submit deposit request");
      void refresh();
    },
  });
  return (
    <div className="flex flex-col gap-5">
      {sent ? <Sent deposit={sent} onProof={setSent} /> : null}
      {barred || message ? <Notice kind="error">{barred ?? message}</Notice> : null}
      <form
        {...form}
        onChange={(event) => {
          form.onChange(event);
          setAmount(String(new FormData(event.currentTarget).get("amount") ?? ""));
        }}
        action="/deposit"
        className="contents"
      >
        <fieldset disabled={!signedIn || pending} className="flex flex-col gap-5">
          <legend className="sr-only">Deposit</legend>
          <AmountField
            id="amount"
            min={300}
            placeholder="300.00"
            required
            defaultValue={values.amount}
            error={messages.amount}
            hint="At least $300, in dollars: the value that you send in the coin."
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <SelectField
              id="currency"
              name="currency"
              label="Currency"
              value={currency}
              onChange={(event) => pickCurrency(event.target.value)}
              error={currency ? undefined : messages.currency}
            >
              <option value="">Please choose</option>
              {coins.map((coin) => (
                <option key={coin}>{coin}</option>
              ))}
            </SelectField>
            <SelectField
              id="network"
              name="network"
              label="Network"
              value={network}
              onChange={(event) => setNetwork(event.target.value)}
              error={network ? undefined : messages.network}
            >
              <option value="">Please choose</option>
              {choices.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </SelectField>
          </div>
          {wallet ? <CoinAmount coin={wallet.currency} amount={amount} currency="USD" /> : null}
          {wallet ? <WalletAddress id="wallet-address" wallet={wallet} /> : signedIn && !barred ? <NoAddress currency={currency} closed={isClosed} /> : null}
          <TextField
            id="notes"
            name="notes"
            label="Description"
            rows={3}
            maxLength={500}
            placeholder="Optional"
            defaultValue={values.notes}
            error={messages.notes}
          />
          <Field
            id="transactionHash"
            name="transactionHash"
            label="Transaction hash"
            placeholder="Optional"
            autoComplete="off"
            spellCheck="false"
            maxLength={128}
            defaultValue={values.transactionHash}
            error={messages.transactionHash}
            hint="If you have sent the coins already: it lets us find the payment sooner."
          />
          <UnsaidNotice of={unsaid} />
          <Button type="submit" size="large" wide disabled={isClosed}>
            {pending ? "Submitting..." : "Submit Deposit Request"}
          </Button>
        </fieldset>
      </form>
    </div>
  );
}

/** Holds the address's place until one can be shown, and says what is missing. */
function NoAddress({ currency, closed }: { currency: string; closed: boolean }) {
  if (closed) return <Notice kind="warning">{currency ? walletMissing(currency) : "No wallet is available. Please contact support."}</Notice>;
  return (
    <div className="js-only">
      <Field id="wallet-address" label="Wallet address" readOnly value="" placeholder="Choose currency and network" />
    </div>
  );
}

/** What was submitted, and what became of it while the page is open. */
function Sent({ deposit, onProof }: { deposit: Deposit; onProof: (deposit: Deposit) => void }) {
  useSignals();
  // The request was made before anybody listened.
  useWalletEvents(true);
  const place = useRef<HTMLDivElement>(null);
  // It stands above the form whose button was pressed.
  useEffect(() => {
    place.current?.focus();
    place.current?.scrollIntoView({ block: "center" });
  }, [deposit.id]);
  const known = deposits.value?.find(({ id }) => id === deposit.id) ?? deposit;
  const decided = known.status !== "pending";
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind={known.status === "rejected" ? "error" : "success"} title={decided ? `Deposit ${known.status}` : "Deposit Request Submitted"}>
        {decided ? <p>{outcomeOf(known)}</p> : <Awaited deposit={deposit} onProof={onProof} />}
      </Notice>
    </div>
  );
}

function Awaited({ deposit, onProof }: { deposit: Deposit; onProof: (deposit: Deposit) => void }) {
  return (
    <>
      <p>
        {displayMoney(deposit.amount)} in {deposit.currency} awaits approval, usually within 5-30 minutes of your payment.{" "}
        <a href="/dashboard?tab=requests" className="text-accent underline underline-offset-2">
          Follow it on the dashboard
        </a>
        .
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {deposit.proofOfPayment ? (
          <span>Your proof of payment has arrived.</span>
        ) : (
          <>
            <ProofUpload deposit={deposit} label="Upload proof of payment" onSent={onProof} />
            <span className="js-only text-table text-soft">PNG, JPEG, WebP or PDF, at most 5 MB</span>
          </>
        )}
      </div>
    </>
  );
}

export default island("CryptoDeposit", CryptoDeposit);
