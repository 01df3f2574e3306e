import AdminPayments from "../../islands/funding/AdminPayments";
import AdminWallets from "../../islands/funding/AdminWallets";
import type { StaffPayment, Wallet } from "../../src/funding/schema";

/** The Wallets tab: where traders send coins, and where they pay otherwise. */
export const WalletsPage = ({ wallets, payments }: { wallets: Wallet[]; payments: StaffPayment[] }) => (
  <div>
    <AdminWallets wallets={wallets} />
    <AdminPayments payments={payments} />
  </div>
);
