import { Prose } from "./Prose";

type Method = { method: string; currencies: string; deposit: string; withdrawal: string; processing: string };
const METHODS: Method[] = [
  { method: "Credit or debit card", currencies: "USD, EUR, GBP", deposit: "Your package's minimum", withdrawal: "$25", processing: "3-5 business days" },
  { method: "Bank wire", currencies: "USD, EUR, GBP", deposit: "Your package's minimum", withdrawal: "$50", processing: "3-7 business days" },
  {
    method: "Cryptocurrency",
    currencies: "BTC, ETH, USDT, LTC",
    deposit: "$300 at the crypto portal",
    withdrawal: "$10",
    processing: "Within 24 hours",
  },
];
const COLUMNS: [keyof Method, string][] = [
  ["method", "Method"],
  ["currencies", "Currencies"],
  ["deposit", "Minimum deposit"],
  ["withdrawal", "Minimum withdrawal"],
  ["processing", "Processing time"],
];

/** A table at a desk; on a phone each method is a list of its facts. */
const Methods = () => (
  <table className="w-full text-product max-lg:block">
    <caption className="sr-only">Payment methods</caption>
    <thead className="max-lg:sr-only">
      <tr className="border-b border-line text-left text-table text-soft">
        {COLUMNS.map(([name, title]) => (
          <th key={name} scope="col" className="py-2 pr-4 font-medium">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="max-lg:block">
      {METHODS.map((each) => (
        <tr key={each.method} className="border-b border-line max-lg:block max-lg:py-3">
          {COLUMNS.map(([name, title]) =>
            name === "method" ? (
              <th key={name} scope="row" className="py-3 pr-4 text-left font-semibold max-lg:block max-lg:pb-1 max-lg:pt-0 max-lg:text-base">
                {each.method}
              </th>
            ) : (
              <td key={name} className="py-3 pr-4 align-top max-lg:flex max-lg:justify-between max-lg:gap-4 max-lg:py-1 max-lg:pr-0">
                <span className="text-soft lg:hidden">{title}</span>
                {each[name]}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const PACKAGES = "Starter from $1,000, Bronze from $5,000, Silver from $20,000, Gold from $50,000, Platinum from $75,000";

/** How money comes in and goes out. It promises what the program does. */
export function PaymentPolicyPage({ brand }: { brand: string }) {
  return (
    <Prose
      title="Payment policy"
      lead={`How you pay in and how ${brand} pays out: by which ways, how much at least, how fast, and who decides.`}
      updated="Last changed: 21 November 2026"
      sections={[
        {
          title: "Payment methods",
          paragraphs: [],
          figure: <Methods />,
        },
        {
          title: "Deposits",
          paragraphs: [
            `Choose the package that fits: ${PACKAGES}. What you deposit is credited to your wallet, and you move it to a trading account yourself.`,
            "A deposit by card takes 3-5 business days and a bank wire 3-7 business days. Cryptocurrency is credited within 24 hours; the crypto portal usually needs 5-30 minutes after the network has confirmed the payment. A member of staff checks each deposit, and your balance changes when it is approved.",
            "Deposits in euros and pounds are credited in US dollars at the live mid price of the moment of approval. Send only the coin that a wallet is for, over the network that stands beside its address: what goes over another network may be lost.",
          ],
        },
        {
          title: "Withdrawals",
          paragraphs: [
            "The minimum withdrawal is $50 by bank, $25 by card and $10 in cryptocurrency. The amount is held out of your balance from the moment you ask for it, so that it cannot be spent twice.",
            "Withdrawals are processed within 24 hours. After that a card takes 3-5 business days, a bank wire 3-7 business days, and cryptocurrency arrives within 24 hours. You may cancel while the request waits. If it is refused, the whole amount returns to your wallet and you read the reason.",
            "Money goes to the person who brought it. We do not pay to the accounts or wallets of others, and the virtual money of a demo account cannot be paid out.",
          ],
        },
        {
          title: "Proof of identity and address",
          paragraphs: [
            "Before the first large withdrawal we ask for proof of who you are and of where you live. The proof of address must be dated within 3 months: a bank statement, a bill, or a letter of an authority. To an address or wallet that you never used before, we ask for your password once more.",
          ],
        },
        {
          title: "Fees",
          paragraphs: [
            "We charge nothing for deposits and withdrawals; banks and networks may charge their own. An account without a trade or a sign-in for 12 months may be charged an inactivity fee, of which we tell you beforehand.",
          ],
        },
        {
          title: "Bonuses",
          paragraphs: [
            "A bonus is paid with the approval of the deposit that earns it, once, as the offer on the home page says. A referral bonus is paid when the first deposit of the person you brought that reaches the offer's minimum is approved.",
            "Bonus money can be traded at once. It can be withdrawn after a turnover, the multiple of its amount that the offer names: the amounts of the positions that you open on live accounts, added up. Turnover counts for one bonus after the other. Until then the wallet holds it back from withdrawals.",
          ],
        },
        {
          title: "Mistakes and disputes",
          paragraphs: [
            "If a payment is wrong or late, write to us with its date and amount. Our payments desk works Monday to Friday, 9 AM to 6 PM EST. Our liability for payments is capped at the fees of the last 12 months, where the law allows such a cap.",
            "Records of payments are retained for 7 years.",
          ],
        },
      ]}
    />
  );
}
