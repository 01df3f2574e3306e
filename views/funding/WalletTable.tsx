import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import type { Wallet } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge } from "../ui/Badge";
import { BusyButton } from "../ui/staff/BusyButton";
import { EmptyState } from "../ui/States";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";

export type WalletAction = "edit" | "deactivate" | "activate" | "default";
type Props = { wallets: Wallet[]; busy: boolean; onAsk: (action: WalletAction, wallet: Wallet) => void };

/** The wallets that customers send coins to, the active ones first. */
export const WalletTable = ({ wallets, busy, onAsk }: Props) =>
  wallets.length === 0 ? (
    <EmptyState icon="wallet" title="No deposit wallets yet">
      Add one, so that traders can deposit in coins. Until then the deposit screens say that no wallet is available.
    </EmptyState>
  ) : (
    <AdminTable
      caption="Deposit wallets"
      columns={may("wallets.change") ? [...COLUMNS, actions(busy, onAsk)] : COLUMNS}
      rows={wallets}
      rowKey={({ id }) => id}
    />
  );

export const walletName = ({ currency, network }: Pick<Wallet, "currency" | "network">) => `${currency} ${network}`;

const COLUMNS: AdminColumn<Wallet>[] = [
  {
    key: "wallet",
    title: "Wallet",
    lead: true,
    cell: (wallet) => (
      <>
        <div className="line">
          <span className="font-medium">{walletName(wallet)}</span> {wallet.isDefault ? <Badge>default</Badge> : null}
        </div>
        {wallet.description ? <div className="line text-note text-soft [overflow-wrap:anywhere]">{wallet.description}</div> : null}
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
    cell: ({ currentDailyUsage, dailyLimit }) => <Usage used={currentDailyUsage} limit={dailyLimit} />,
  },
  {
    key: "month",
    title: "This month",
    cell: ({ currentMonthlyUsage, monthlyLimit }) => <Usage used={currentMonthlyUsage} limit={monthlyLimit} />,
  },
];

const reached = (used: string, limit: string | null) => limit !== null && Number(used) >= Number(limit);
const isFull = (wallet: Wallet) => reached(wallet.currentDailyUsage, wallet.dailyLimit) || reached(wallet.currentMonthlyUsage, wallet.monthlyLimit);

/** What approved deposits brought, and how much of the limit that is. */
function Usage({ used, limit }: { used: string; limit: string | null }) {
  if (limit === null) return <Two first={displayMoney(used)} second="no limit" />;
  const share = Math.min(100, (Number(used) / Number(limit)) * 100);
  return (
    <>
      <div className="tabular-nums">
        {displayMoney(used)} <span className="text-soft">of {displayMoney(limit)}</span>
      </div>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="mt-1 h-1 w-40 max-w-full rounded-full max-lg:ml-auto">
        <rect width="100" height="4" className="fill-line" />
        <rect width={share.toFixed(1)} height="4" className={reached(used, limit) ? "fill-warn" : "fill-accent"} />
      </svg>
    </>
  );
}

const actions = (busy: boolean, onAsk: Props["onAsk"]): AdminColumn<Wallet> => ({
  key: "actions",
  title: "Actions",
  numeric: true,
  width: "lg:w-80",
  cell: (wallet) => (
    <span className="js-only inline-flex justify-end gap-1 max-lg:flex-wrap">
      {actionsFor(wallet).map(({ action, label }) => (
        <BusyButton
          key={action}
          size="small"
          variant="quiet"
          busy={busy}
          aria-label={`${label} ${walletName(wallet)} ${wallet.walletAddress.slice(-6)}`}
          onClick={() => onAsk(action, wallet)}
        >
          {label}
        </BusyButton>
      ))}
    </span>
  ),
});

function actionsFor({ isActive, isDefault }: Wallet): { action: WalletAction; label: string }[] {
  return [
    ...(isActive && !isDefault ? [{ action: "default" as const, label: "Make default" }] : []),
    { action: "edit", label: "Edit" },
    isActive ? { action: "deactivate", label: "Deactivate" } : { action: "activate", label: "Activate" },
  ];
}
