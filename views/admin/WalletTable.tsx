import { Copyable } from "../../islands/lib/Copyable";
import type { Wallet } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { type AdminColumn, AdminTable, Two } from "./AdminTable";

export type WalletDeed = "edit" | "deactivate" | "activate" | "default";
type Props = { wallets: Wallet[]; busy: boolean; onAsk: (deed: WalletDeed, wallet: Wallet) => void };

/** The wallets that customers send coins to, the active ones first. */
export const WalletTable = ({ wallets, busy, onAsk }: Props) =>
  wallets.length === 0 ? (
    <EmptyState icon="wallet" title="No deposit wallets yet">
      Add one, so that traders can deposit in coins. Until then the deposit screens say that no wallet is available.
    </EmptyState>
  ) : (
    <AdminTable caption="Deposit wallets" columns={[...COLUMNS, actions(busy, onAsk)]} rows={wallets} rowKey={({ id }) => id} />
  );

export const walletName = ({ currency, network }: Pick<Wallet, "currency" | "network">) => `${currency} ${network}`;

const COLUMNS: AdminColumn<Wallet>[] = [
  {
    key: "wallet",
    title: "Wallet",
    lead: true,
    cell: (wallet) => (
      <>
        <span className="font-medium">{walletName(wallet)}</span> {wallet.isDefault ? <Badge>default</Badge> : null}
        {wallet.description ? <div className="text-note text-soft [overflow-wrap:anywhere]">{wallet.description}</div> : null}
      </>
    ),
  },
  { key: "address", title: "Address", cell: ({ walletAddress }) => <Copyable text={walletAddress} what="Address" /> },
  {
    key: "status",
    title: "Status",
    cell: (wallet) =>
      isFull(wallet) && wallet.isActive ? (
        <Two first={<Badge tone="warning">over its limit</Badge>} second="not offered" />
      ) : (
        <Badge tone={wallet.isActive ? "default" : "secondary"}>{wallet.isActive ? "active" : "inactive"}</Badge>
      ),
  },
  {
    key: "today",
    title: "Today (UTC)",
    cell: ({ currentDailyUsage, dailyLimit }) => <Usage used={currentDailyUsage} limit={dailyLimit} label="Used today" />,
  },
  {
    key: "month",
    title: "This month",
    cell: ({ currentMonthlyUsage, monthlyLimit }) => <Usage used={currentMonthlyUsage} limit={monthlyLimit} label="Used this month" />,
  },
];

const reached = (used: string, limit: string | null) => limit !== null && Number(used) >= Number(limit);
const isFull = (wallet: Wallet) => reached(wallet.currentDailyUsage, wallet.dailyLimit) || reached(wallet.currentMonthlyUsage, wallet.monthlyLimit);

/** What approved deposits brought, and how much of the limit that is. */
function Usage({ used, limit, label }: { used: string; limit: string | null; label: string }) {
  if (limit === null) return <Two first={displayMoney(used)} second="no limit" />;
  return (
    <>
      <div className="tabular-nums">
        {displayMoney(used)} <span className="text-soft">of {displayMoney(limit)}</span>
      </div>
      <progress
        aria-label={label}
        max={Number(limit)}
        value={Math.min(Number(used), Number(limit))}
        className={reached(used, limit) ? "h-1.5 w-full max-w-40 accent-warn" : "h-1.5 w-full max-w-40 accent-accent"}
      />
    </>
  );
}

const actions = (busy: boolean, onAsk: Props["onAsk"]): AdminColumn<Wallet> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  cell: (wallet) => (
    <span className="js-only inline-flex flex-wrap justify-end gap-2">
      {deedsFor(wallet).map(({ deed, label }) => (
        <Button
          key={deed}
          size="small"
          look={deed === "deactivate" ? "danger" : deed === "default" ? "quiet" : "secondary"}
          disabled={busy}
          aria-label={`${label} ${walletName(wallet)} ${wallet.walletAddress.slice(-6)}`}
          onClick={() => onAsk(deed, wallet)}
        >
          {label}
        </Button>
      ))}
    </span>
  ),
});

function deedsFor({ isActive, isDefault }: Wallet): { deed: WalletDeed; label: string }[] {
  return [
    ...(isActive && !isDefault ? [{ deed: "default" as const, label: "Make default" }] : []),
    { deed: "edit", label: "Edit" },
    isActive ? { deed: "deactivate", label: "Deactivate" } : { deed: "activate", label: "Activate" },
  ];
}
