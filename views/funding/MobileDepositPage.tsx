import MobileDeposit from "../../islands/funding/MobileDeposit";
import type { ActiveWallet, Deposit, PaymentDetails } from "../../src/funding/schema";

type Props = { balance: string; barred: string | null; deposits: Deposit[]; wallets: ActiveWallet[]; payments: PaymentDetails[] };

/** One column at every width: it is made for the phone. */
export const MobileDepositPage = (props: Props) => (
  <div className="mx-auto flex w-full max-w-[64rem] flex-col gap-6 px-4 py-6">
    <MobileDeposit {...props} />
    <noscript>
      <p>
        This page needs scripts. The{" "}
        <a href="/deposit" className="text-accent underline">
          crypto deposit page
        </a>{" "}
        works without.
      </p>
    </noscript>
  </div>
);
