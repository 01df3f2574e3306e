import { useState } from "react";
import * as v from "valibot";
import { NETWORKS_OF } from "../../src/funding/rules";
import { changeWallet, type Coin, coins, createWallet, networks, type Wallet, walletBody } from "../../src/funding/schema";
import { optionalText, versionSeen } from "../../src/lib/shapes";
import { walletName } from "../../views/funding/WalletTable";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

const { currency, network, walletAddress, dailyLimit, monthlyLimit } = walletBody.entries;
/** A box that is not ticked sends nothing. */
const ticked = v.pipe(
  v.string(),
  v.transform((value) => value === "on"),
);
const SCHEMA = v.object({
  currency,
  network,
  walletAddress,
  dailyLimit,
  monthlyLimit,
  description: optionalText(500),
  isDefault: ticked,
  version: versionSeen,
});
const NAMES = ["currency", "network", "walletAddress", "dailyLimit", "monthlyLimit", "description", "isDefault"] as const;

/** Adds a deposit wallet, or changes one (null: a new one). */
export function WalletDialog({ wallet, onClose }: { wallet: Wallet | null; onClose: () => void }) {
  const [coin, setCoin] = useState<Coin>(wallet?.currency ?? "BTC");
  return (
    <ActionDialog
      id="wallet"
      title={wallet ? `Edit ${walletName(wallet)}` : "Add a deposit wallet"}
      consequence={
        wallet ? "Traders who deposit from now on see the new values." : "Traders can send coins to it at once. Check each character of the address."
      }
      schema={SCHEMA}
      names={wallet ? [...NAMES, "version"] : NAMES}
      fields={(messages) => (
        <>
          {wallet ? <input type="hidden" name="version" value={wallet.version} /> : null}
          <div className="grid grid-cols-2 items-start gap-4">
            <SelectField
              id="wallet-currency"
              name="currency"
              label="Currency"
              value={coin}
              onChange={(event) => setCoin(event.target.value as Coin)}
              error={messages.currency}
            >
              {coins.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </SelectField>
            <SelectField
              key={coin}
              id="wallet-network"
              name="network"
              label="Network"
              defaultValue={wallet?.currency === coin ? wallet.network : NETWORKS_OF[coin][0]}
              error={messages.network}
            >
              {networks
                .filter((each) => NETWORKS_OF[coin].includes(each))
                .map((each) => (
                  <option key={each}>{each}</option>
                ))}
            </SelectField>
          </div>
          <Field
            id="wallet-address"
            name="walletAddress"
            label="Wallet address"
            autoComplete="off"
            spellCheck="false"
            maxLength={200}
            className="font-mono"
            defaultValue={wallet?.walletAddress}
            error={messages.walletAddress}
          />
          <div className="grid grid-cols-2 items-start gap-4">
            <Field
              id="wallet-daily"
              name="dailyLimit"
              label="Daily limit ($)"
              inputMode="decimal"
              placeholder="None"
              defaultValue={wallet?.dailyLimit ?? ""}
              error={messages.dailyLimit}
            />
            <Field
              id="wallet-monthly"
              name="monthlyLimit"
              label="Monthly limit ($)"
              inputMode="decimal"
              placeholder="None"
              defaultValue={wallet?.monthlyLimit ?? ""}
              error={messages.monthlyLimit}
            />
          </div>
          <TextField
            id="wallet-description"
            name="description"
            label="Description (traders see it)"
            rows={2}
            maxLength={500}
            defaultValue={wallet?.description}
            error={messages.description}
          />
          <label htmlFor="wallet-default" className="flex min-h-11 items-center gap-3">
            <input id="wallet-default" name="isDefault" type="checkbox" defaultChecked={wallet?.isDefault} className="size-5 shrink-0 accent-accent" />
            Offer it first for its currency and network
          </label>
        </>
      )}
      submit={wallet ? "Save wallet" : "Add wallet"}
      busy="Saving..."
      mends
      send={async ({ description, ...value }) => {
        const body = { ...value, description: description ?? "" };
        const done = wallet ? await call(changeWallet, body, { params: { id: wallet.id } }) : await call(createWallet, body);
        if (tellWaiting(done)) return;
        toast({ title: wallet ? "Wallet saved" : "Wallet added", description: walletName(done) });
      }}
      onClose={onClose}
    />
  );
}
