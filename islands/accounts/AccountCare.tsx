import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useState } from "react";
import { closeAccount, nameBody, renameAccount, resetDemo, type TradingAccount } from "../../src/accounts/schema";
import { fit } from "../../src/lib/fit";
import type { Position } from "../../src/trading/schema";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field } from "../../views/ui/Field";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { accountNow, positions, takeAccount, useTradingStore } from "../runtime/trading_store";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

/** How long a toast is read before the page is fetched anew. */
const READ_MS = 1500;

type Props = { account: TradingAccount; /** Its open positions and waiting orders. */ positions: Position[] };

/** What an owner does with an account: name it, set a demo one back, close it. */
export function AccountCare({ account: given, positions: first }: Props) {
  useSignals();
  const here = useTradingStore({ accounts: [given], positions: first });
  const account = accountNow(given, here);
  const dealing = ((here && positions.value) || first).filter(({ accountId }) => accountId === given.id).length;
  const [asking, setAsking] = useState<"reset" | "close" | null>(null);
  const [busy, setBusy] = useState(false);
  const { id, isDemo, accountNumber } = account;

  const carryOut = async (action: typeof resetDemo | typeof closeAccount, said: { title: string; description: string }, next: string) => {
    setBusy(true);
    const done = await attempt("Error", () => sendOnce(action, undefined, { id }));
    setAsking(null);
    if (!done) return setBusy(false);
    takeAccount(done);
    toast(said);
    setTimeout(() => location.assign(next), READ_MS);
  };
  const reset = () =>
    void carryOut(resetDemo, { title: "Demo account reset", description: "Its balance is $10,000.00 again." }, location.pathname + location.search);
  const close = () => void carryOut(closeAccount, { title: "Account closed", description: `${accountNumber} takes no more orders or transfers.` }, "/accounts");

  return (
    <div className="js-only flex flex-col gap-4">
      <Name account={account} onNamed={takeAccount} />
      <div className="flex flex-wrap gap-2">
        {isDemo ? (
          <Button variant="secondary" disabled={busy || dealing > 0} aria-describedby="care-note" onClick={() => setAsking("reset")}>
            Reset to $10,000
          </Button>
        ) : null}
        <Button
          variant="danger"
          disabled={busy || dealing > 0 || (!isDemo && account.balance !== "0.00")}
          aria-describedby="care-note"
          onClick={() => setAsking("close")}
        >
          Close account
        </Button>
      </div>
      <p id="care-note" className="text-table text-soft">
        {noteOf(account, dealing)}
      </p>
      <Dialog
        id="care"
        title={asking === "reset" ? "Reset this demo account" : "Close this account"}
        open={asking !== null}
        onClose={() => setAsking(null)}
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(null)}>
              Keep it as it is
            </Button>
            {asking === "reset" ? (
              <Button disabled={busy} onClick={reset}>
                {busy ? "Resetting..." : "Reset to $10,000"}
              </Button>
            ) : (
              <Button variant="danger" disabled={busy} onClick={close}>
                {busy ? "Closing..." : "Close account"}
              </Button>
            )}
          </>
        }
      >
        <p className="text-base">
          {asking === "reset"
            ? "The balance becomes $10,000.00, whatever it is now. Trades and receipts stay in the history."
            : `${accountNumber} takes no more orders or transfers, and can't be opened again. Its history stays.${isDemo ? " Its virtual money is gone." : ""}`}
        </p>
      </Dialog>
    </div>
  );
}

function noteOf({ isDemo, balance }: TradingAccount, dealing: number): string {
  if (dealing > 0) return "This account has open positions or waiting orders. Close them first.";
  if (isDemo) return "A reset gives back the virtual money; closing is for good.";
  return balance === "0.00" ? "This account is empty. Closing is for good." : "Only an empty account can be closed: transfer its money to your wallet first.";
}

function Name({ account, onNamed }: { account: TradingAccount; onNamed: (account: TradingAccount) => void }) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = fit(nameBody, { name: String(new FormData(event.currentTarget).get("name") ?? "") });
    setError(asked.ok ? undefined : asked.fields.name);
    if (!asked.ok) return;
    setBusy(true);
    const named = await attempt("Error", () => call(renameAccount, { name: asked.value.name }, { params: { id: account.id } }));
    setBusy(false);
    if (!named) return;
    onNamed(named);
    toast({ title: "Name saved", description: named.name ? `This account is called ${named.name}.` : "This account goes by its type again." });
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-wrap items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          id="account-name"
          name="name"
          label="Account name"
          maxLength={60}
          placeholder={account.accountType}
          autoComplete="off"
          defaultValue={account.name ?? ""}
          error={error}
        />
      </div>
      <Button type="submit" variant="secondary" className="mt-7" disabled={busy}>
        {busy ? "Saving..." : "Save name"}
      </Button>
    </form>
  );
}

export default island("AccountCare", AccountCare);
