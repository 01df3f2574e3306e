import { useEffect, useState } from "react";
import type { InferOutput } from "valibot";
import { isCoin, MINIMUM_WITHDRAWAL, NETWORKS_OF, PROCESSING_TIME, withdrawalMethod } from "../../src/funding/rules";
import { type BonusState, createWithdrawal, readBonus, withdrawalBody, type WithdrawalCurrency } from "../../src/funding/schema";
import { listAddresses, type PayoutAddress } from "../../src/funding/schema_addresses";
import { displayMoney, isNegative, subtract } from "../../src/lib/money";
import { AmountField } from "../../views/funding/AmountField";
import { BonusNote } from "../../views/funding/BonusNote";
import { PLACE_WORDS, withdrawalText } from "../../views/funding/words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field, SelectField } from "../../views/ui/Field";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { useForm } from "../wire/form";
import { sendOnce } from "../wire/intent";
import { PasswordPrompt } from "../identity/PasswordPrompt";
import { refreshWallet } from "./wallet";
import { toast } from "../wire/toasts";

const CURRENCIES = ["USD", "BTC", "ETH", "USDT"] as const satisfies readonly WithdrawalCurrency[];
const PAYOUTS = [
  { id: "bank", label: "Bank" },
  { id: "card", label: "Card" },
] as const;

const PLACE_HINTS = { bank: "With an account number, the name of its bank, too.", card: "Your own card." };

type Asked = InferOutput<typeof withdrawalBody>;
type Props = { open: boolean; balance: string; onClose: () => void };

/** 'Request Withdrawal': the request, and in its place the password where the address is a new one. */
export const WithdrawalDialog = ({ open, balance, onClose }: Props) => (
  <Dialog id="request-withdrawal" title="Request Withdrawal" open={open} onClose={onClose}>
    <WithdrawalForm balance={balance} onClose={onClose} />
  </Dialog>
);

/** What of the wallet may leave: all but the bonus money that is not earned yet. */
const freeOf = (balance: string, bonus: BonusState | null) => {
  const free = subtract(balance, bonus?.locked ?? "0.00");
  return isNegative(free) ? "0.00" : free;
};

/** Null until it is known, and where it can't be: then the server alone says what is held back. */
function useBonus(): BonusState | null {
  const [bonus, setBonus] = useState<BonusState | null>(null);
  useEffect(() => {
    call(readBonus).then(setBonus, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }, []);
  return bonus;
}

/** The address book; empty until it is known. */
function useBook(): PayoutAddress[] {
  const [book, setBook] = useState<PayoutAddress[]>([]);
  useEffect(() => {
    call(listAddresses).then(setBook, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }, []);
  return book;
}

function WithdrawalForm({ balance, onClose }: Omit<Props, "open">) {
  const [unconfirmed, setUnconfirmed] = useState<Asked | null>(null);
  const [currency, setCurrency] = useState<WithdrawalCurrency>("USD");
  const [payout, setPayout] = useState<"bank" | "card">("bank");
  const method = withdrawalMethod(currency, payout);
  const networks = isCoin(currency) ? NETWORKS_OF[currency] : [];
  const bonus = useBonus();
  const book = useBook();

  const request = async (asked: Asked) => {
    try {
      await sendOnce(createWithdrawal, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "password_required") throw error;
      setUnconfirmed(asked);
      return;
    }
    toast({
      title: "Withdrawal Requested",
      description: `${withdrawalText(asked.amount, asked.currency)} awaits admin approval. Until then the amount is held.`,
    });
    onClose();
    await refreshWallet();
  };
  const fail = (error: ApiError) => tellRefusal("Withdrawal Failed", error);
  const { messages, unsaid, pending, form } = useForm({
    schema: withdrawalBody,
    names: [
      "amount",
      "currency",
      "walletAddress",
      ...(currency === "USD" ? (["method"] as const) : []),
      ...(networks.length > 1 ? (["network"] as const) : []),
    ],
    after: "again",
    send: request,
    onFailure: fail,
  });
  return (
    <>
      <form {...form} hidden={unconfirmed !== null} className="flex flex-col gap-4">
        <AmountField
          id="withdrawal-amount"
          error={messages.amount}
          hint={`Available: ${displayMoney(freeOf(balance, bonus))}. At least ${displayMoney(MINIMUM_WITHDRAWAL[method])}.`}
        />
        {bonus ? <BonusNote bonus={bonus} /> : null}
        <div className="grid grid-cols-2 gap-4">
          <SelectField
            id="withdrawal-currency"
            name="currency"
            label="Currency"
            value={currency}
            onChange={(event) => setCurrency(event.target.value as WithdrawalCurrency)}
            error={messages.currency}
          >
            {CURRENCIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
          {currency === "USD" ? (
            <SelectField
              id="withdrawal-method"
              name="method"
              label="Paid out by"
              value={payout}
              onChange={(event) => setPayout(event.target.value as "bank" | "card")}
              error={messages.method}
            >
              {PAYOUTS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </SelectField>
          ) : null}
          {networks.length > 1 ? (
            <SelectField id="withdrawal-network" name="network" label="Network" key={currency} defaultValue={networks[0]} error={messages.network}>
              {networks.map((network) => (
                <option key={network}>{network}</option>
              ))}
            </SelectField>
          ) : null}
        </div>
        <Field
          id="withdrawal-address"
          name="walletAddress"
          label={PLACE_WORDS[method]}
          list="withdrawal-addresses"
          autoComplete="off"
          spellCheck="false"
          maxLength={200}
          error={messages.walletAddress?.replace(PLACE_WORDS.crypto, PLACE_WORDS[method])}
          hint={method === "crypto" ? `Your own ${currency} address.` : PLACE_HINTS[method]}
        />
        <datalist id="withdrawal-addresses">
          {book.map(({ id, name, currency: of, address }) =>
            of === currency ? (
              <option key={id} value={address}>
                {name}
              </option>
            ) : null,
          )}
        </datalist>
        <p className="text-table">
          <a href="/withdrawal-addresses" className="text-accent underline underline-offset-2">
            Your addresses
          </a>
        </p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-table">
          <dt className="text-soft">Fee</dt>
          <dd className="text-right">None</dd>
          <dt className="text-soft">Processing time</dt>
          <dd className="text-right">{PROCESSING_TIME[method]}</dd>
        </dl>
        <UnsaidNotice of={unsaid} />
        <div className="flex justify-end gap-2 max-md:flex-col-reverse">
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" disabled={pending}>
            {pending ? "Requesting..." : "Request Withdrawal"}
          </Button>
        </div>
      </form>
      {unconfirmed ? (
        <PasswordPrompt
          lead={`${withdrawalText(unconfirmed.amount, unconfirmed.currency)} to an address that you have not been paid at before. Please confirm your password.`}
          action="Confirm and request"
          onBack={() => setUnconfirmed(null)}
          onConfirmed={() => request(unconfirmed)}
          onFailure={(error) => {
            setUnconfirmed(null);
            fail(error);
          }}
        />
      ) : null}
    </>
  );
}
