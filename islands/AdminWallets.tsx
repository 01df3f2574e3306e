import { useState } from "react";
import { changeWallet, deactivateWallet, listWallets, type Wallet } from "../src/funding/schema";
import { type WalletDeed, walletName, WalletTable } from "../views/admin/WalletTable";
import { Button } from "../views/ui/Button";
import { Icon } from "../views/ui/Icon";
import { call } from "./lib/api";
import { attempt } from "./lib/deed";
import { DeedDialog } from "./lib/DeedDialog";
import { island } from "./lib/island";
import { lookAgain, useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { toast } from "./lib/toasts";
import { WalletDialog } from "./lib/WalletDialog";
import * as v from "valibot";

type Asked = { deed: "add" } | { deed: "edit" | "deactivate"; wallet: Wallet };
const NOTHING = v.object({});

/** The wallets that customers send coins to, with what was used of their limits. */
export function AdminWallets({ wallets }: { wallets: Wallet[] }) {
  const { value, lost } = useLive(wallets, () => call(listWallets), ["deposit", "setting"]);
  const [asked, open, close] = useAsked<Asked>();
  const [busy, setBusy] = useState(false);
  const change = async (wallet: Wallet, body: { isActive: true } | { isDefault: true }, title: string) => {
    setBusy(true);
    const done = await attempt("Error", () => call(changeWallet, body, { params: { id: wallet.id } }));
    if (done) toast({ title, description: walletName(done) });
    await lookAgain();
    setBusy(false);
  };
  const ask = (deed: WalletDeed, wallet: Wallet) => {
    if (deed === "activate") void change(wallet, { isActive: true }, "Wallet activated");
    else if (deed === "default") void change(wallet, { isDefault: true }, "Wallet offered first");
    else open({ deed, wallet });
  };
  return (
    <>
      <div className="mb-2 flex items-center justify-between gap-4">
        <p className="text-soft">Coins that traders send go to these addresses. Usage counts approved deposits.</p>
        <Button className="js-only shrink-0" size="small" onClick={() => open({ deed: "add" })}>
          <Icon name="plus" className="size-4" />
          Add wallet
        </Button>
      </div>
      {lost ? <LostNotice /> : null}
      <WalletTable wallets={value} busy={busy} onAsk={ask} />
      {asked?.deed === "add" ? <WalletDialog wallet={null} onClose={close} /> : null}
      {asked?.deed === "edit" ? <WalletDialog key={asked.wallet.id} wallet={asked.wallet} onClose={close} /> : null}
      {asked?.deed === "deactivate" ? (
        <DeedDialog
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
            const done = await call(deactivateWallet, undefined, { params: { id: asked.wallet.id } });
            toast({ title: "Wallet deactivated", description: walletName(done) });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

export default island("AdminWallets", AdminWallets);
