import AdminWallets from "../../islands/AdminWallets";
import type { Wallet } from "../../src/funding/schema";

/** The Wallets tab. */
export const WalletsPage = ({ wallets }: { wallets: Wallet[] }) => (
  <div>
    <AdminWallets wallets={wallets} />
  </div>
);
