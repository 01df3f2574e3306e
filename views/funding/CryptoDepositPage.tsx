import CryptoDeposit, { type CryptoDepositProps } from "../../islands/funding/CryptoDeposit";
import type { ActiveWallet, PaymentDetails, Promotion } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { Card } from "../ui/Card";
import { bonusTerms } from "./promotion_words";
import { METHOD_WORDS } from "./words";
import { PageIcon, type PageIconName } from "../ui/PageIcon";
import { Notice } from "../ui/States";

type Props = CryptoDepositProps & {
  promotions: Promotion[];
  /** A first deposit was approved already. */ deposited: boolean;
  /** What is offered beside coins. */ payments: PaymentDetails[];
};

/** The crypto deposit portal: anyone may look, the signed-in may submit. */
export function CryptoDepositPage({ promotions, deposited, payments, ...form }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-[64rem] flex-col gap-6 px-4 py-6 md:px-6">
      <div>
        <BackLink signedIn={form.signedIn} />
        <h1 className="text-title font-semibold">Make a Deposit</h1>
        <p className="text-soft">Send coins to our wallet and tell us how much. An administrator checks the payment and credits your wallet in dollars.</p>
        {payments.length > 0 ? (
          <p className="text-soft">
            No coins?{" "}
            <a href="/mobile-deposit" className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
              Deposit by {payments.map(({ method }) => METHOD_WORDS[method].toLowerCase()).join(" or ")}
            </a>
          </p>
        ) : null}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card label="Deposit request" className="p-4 md:p-6">
          {form.signedIn ? null : <SignInFirst />}
          <CryptoDeposit {...form} />
          {form.signedIn && !form.barred ? <AddressesWithoutScript wallets={form.wallets} /> : null}
        </Card>
        <aside className="flex min-w-0 flex-col gap-6 [overflow-wrap:anywhere]">
          <Card label="Before you send" className="p-4">
            <ul className="flex flex-col gap-4">
              <Point icon="clock" title="Processing time: 5-30 minutes">
                A deposit is credited once the network has confirmed it and an administrator has approved it.
              </Point>
              <Point icon="warning" title="The right network">
                Send only the coin that you chose, by the network that you chose. What is sent by another network may be lost.
              </Point>
              <Point icon="receipt" title="Nothing hidden">
                We charge no fee. The network's own fee is paid by the sender.
              </Point>
            </ul>
          </Card>
          {deposited ? null : <Bonuses promotions={promotions} />}
        </aside>
      </div>
    </div>
  );
}

const BackLink = ({ signedIn }: { signedIn: boolean }) => (
  <a href={signedIn ? "/dashboard" : "/"} className="inline-flex min-h-11 items-center gap-1.5 text-accent no-underline hover:underline">
    <PageIcon name="arrowLeft" className="size-4" />
    {signedIn ? "Back to Dashboard" : "Back to Home"}
  </a>
);

const SignInFirst = () => (
  <Notice className="mb-5" title="Sign in to submit a deposit">
    <a href="/login?returnTo=/deposit" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
      Sign In
    </a>{" "}
    or{" "}
    <a href="/register" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
      create an account
    </a>
    , and the wallet addresses are shown here.
  </Notice>
);

/** The form's address follows its fields by script; without one all addresses stand here. */
const AddressesWithoutScript = ({ wallets }: { wallets: ActiveWallet[] }) => (
  <noscript>
    <h2 className="mt-6 text-base font-semibold">Wallet addresses</h2>
    {wallets.length ? (
      <dl className="mt-2 flex flex-col gap-3 text-table">
        {wallets.map(({ id, currency, network, walletAddress }) => (
          <div key={id}>
            <dt className="text-soft">
              {currency}, {network}
            </dt>
            <dd className="break-all font-mono">{walletAddress}</dd>
          </div>
        ))}
      </dl>
    ) : (
      <p>No wallet is available. Please contact support.</p>
    )}
  </noscript>
);

const Point = ({ icon, title, children }: { icon: PageIconName; title: string; children: string }) => (
  <li className="flex gap-3">
    <PageIcon name={icon} className="mt-0.5 size-5 text-soft" />
    <div>
      <p className="font-medium">{title}</p>
      <p className="text-table text-soft">{children}</p>
    </div>
  </li>
);

/** What approval will pay: the rows that it pays by. */
function Bonuses({ promotions }: { promotions: Promotion[] }) {
  const own = promotions.filter(({ id }) => id !== "referral_bonus");
  if (own.length === 0) return null;
  return (
    <Card label="Bonuses" className="p-4">
      <ul className="flex flex-col gap-4">
        {own.map(({ id, amount, minimumDeposit, ...terms }) => (
          <Point key={id} icon="gift" title={`${displayMoney(amount)} bonus`}>
            {`For a first deposit of ${displayMoney(minimumDeposit)} or more${id === "bitcoin_bonus" ? " in Bitcoin" : ""}.${bonusTerms(terms)}`}
          </Point>
        ))}
      </ul>
    </Card>
  );
}
