import { useState } from "react";
import { may } from "../../src/lib/may";
import { changeWallet, deactivateWallet, listWallets, type Wallet } from "../../src/funding/schema";
import { type WalletAction, walletName, WalletTable } from "../../views/funding/WalletTable";
import { Button } from "../../views/ui/Button";
import { Icon } from "../../views/ui/Icon";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { ActionDialog } from "../ui/ActionDialog";
import { island } from "../runtime/island";
import { refreshLists, useAsked, useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";
import { WalletDialog } from "./WalletDialog";
import * as v from "valibot";

type Asked = { action: "add" } | { action: "edit" | "deactivate"; wallet: Wallet };
const NOTHING = v.object({});

/** The wallets that customers send coins to, with what was used of their limits. */
export function AdminWallets({ wallets }: { wallets: Wallet[] }) {
  const { value, lost } = useLive(wallets, () => call(listWallets), ["deposit", "setting"]);
  const [asked, open, close] = useAsked<Asked>();
  const [busy, setBusy] = useState(false);
  const change = async (wallet: Wallet, body: { isActive: true } | { isDefault: true }, title: string) => {
    setBusy(true);
    const done = await attempt("Error", () => call(changeWallet, { ...body, version: wallet.version }, { params: { id: wallet.id } }));
    if (done && !tellWaiting(done)) toast({ title, description: walletName(done) });
    await refreshLists();
    setBusy(false);
  };
  const ask = (action: WalletAction, wallet: Wallet) => {
    if (action === "activate") void change(wallet, { isActive: true }, "Wallet activated");
    else if (action === "default") void change(wallet, { isDefault: true }, "Wallet offered first");
    else open({ action, wallet });
  };
  return (
    <>
      <div className="mb-2 flex items-center justify-between gap-4">
        <p className="text-soft">Coins that traders send go to these addresses. Usage counts approved deposits.</p>
        {may("wallets.change") ? (
          <Button className="js-only shrink-0" size="small" onClick={() => open({ action: "add" })}>
            <Icon name="plus" className="size-4" />
            Add wallet
          </Button>
        ) : null}
      </div>
      {lost ? <LostNotice /> : null}
      <WalletTable wallets={value} busy={busy} onAsk={ask} />
      {asked?.action === "add" ? <WalletDialog wallet={null} onClose={close} /> : null}
      {asked?.action === "edit" ? <WalletDialog key={asked.wallet.id} wallet={asked.wallet} onClose={close} /> : null}
      {asked?.action === "deactivate" ? (
        <ActionDialog
          id="deactivate"
          title={`Deactivate ${walletName(asked.wallet)}`}
          consequence="Traders are no longer offered this address. Deposits that wait stay in the queue."
          schema={NOTHING}
          names={[]}
          fields={() => null}
          submit="Deactivate"
          busy="Deactivating..."
          danger
          begin="button"
          send={async () => {
            const done = await call(deactivateWallet, undefined, { params: { id: asked.wallet.id }, query: { version: asked.wallet.version } });
            toast({ title: "Wallet deactivated", description: walletName(done) });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

export default island("AdminWallets", AdminWallets);
