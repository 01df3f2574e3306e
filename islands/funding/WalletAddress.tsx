import type { ActiveWallet } from "../../src/funding/schema";
import { Field } from "../../views/ui/Field";
import { QrCode } from "../../views/ui/QrCode";
import { CopyButton } from "../ui/CopyButton";

type Props = { id: string; wallet: ActiveWallet; confirmMs?: number };

/** Where to send: the address to copy, to compare letter by letter, and to scan. */
export const WalletAddress = ({ id, wallet, confirmMs = 2000 }: Props) => (
  <div className="flex flex-col gap-3">
    <Field
      id={id}
      label="Wallet address"
      readOnly
      value={wallet.walletAddress}
      onFocus={(event) => event.currentTarget.select()}
      className="font-mono"
      trailing={<CopyButton text={wallet.walletAddress} what="Address" confirmMs={confirmMs} />}
    />
    <div className="flex flex-wrap items-center gap-4">
      <QrCode text={wallet.walletAddress} label={`QR code of the ${wallet.currency} address`} className="size-40" />
      <div className="flex min-w-40 flex-1 flex-col gap-2 text-table text-soft">
        <p className="break-all font-mono text-ink">{wallet.walletAddress}</p>
        <p>
          {wallet.currency} by {wallet.network}
          {wallet.description ? `. ${wallet.description}` : ""}
        </p>
      </div>
    </div>
  </div>
);
