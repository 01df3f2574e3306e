import AdminHoldings from "../../islands/integrity/AdminHoldings";
import type { Holding } from "../../src/integrity/schema";

/** Below the wallets: what is declared to be held for clients. */
export const HoldingsPart = ({ holding }: { holding: Holding | null }) => <AdminHoldings first={{ holding }} />;
