import { PROMISED_HOURS } from "../../src/lib/promises";
import { Prose, type Section } from "./Prose";

/** What a person agrees to. It promises nothing that the program does not do. */
export function TermsPage({ brand, demonstration }: { brand: string; demonstration: boolean }) {
  return (
    <Prose
      title="Terms of service"
      lead={`The agreement between you and ${brand} when you open and use an account.`}
      updated="Last changed: 21 November 2026"
      sections={termsSections(demonstration)}
    />
  );
}

/** Its parts, which an operator's own text begins from. */
export const termsSections = (demonstration: boolean): Section[] => [
  ...(demonstration
    ? [
        {
          title: "This is a demonstration",
          paragraphs: ["This installation runs for demonstration. No real money is held here, no real orders reach a market, and no balance can be paid out."],
        },
      ]
    : []),
  {
    title: "Your account",
    paragraphs: [
      "You must be of legal age where you live and give your own, true details. One person holds one registration. Keep your password to yourself; what is done with it counts as done by you until you tell us that it is no longer yours alone.",
      "A new registration opens a demo account at once. Live trading, transfers to a live account and withdrawals wait until a member of staff has approved the registration. A registration that is refused is refused with its reason.",
    ],
  },
  {
    title: "Trading",
    paragraphs: [
      "Orders fill at the price our server holds when it receives them: a buy opens at the ask and closes at the bid, a sell the reverse, with the spread of your account tier where it is wider than the market's. Nothing fills on a price that is stale. An order placed in a closed market waits and fills at the first price after the opening, if your margin still allows.",
      "Forex is open from Sunday 5 PM to Friday 5 PM EST, except on 25 December and 1 January; cryptocurrencies trade at any hour.",
      "A stop loss or take profit is carried out at the first price that reaches it. Where the market jumps over your level, it fills at the price after the jump, which can be worse or better than the level.",
      "You must keep enough margin. Below a margin level of 100% you are warned; below 50% the position with the largest loss is closed, and the next one if need be. Your trading balance cannot end below zero: we cover the rest.",
      "Every fill keeps a receipt that you can open: the quote, its time and age, the spread, the price you asked for and the price you got, and who or what closed the position and why.",
    ],
  },
  {
    title: "Corrections",
    paragraphs: [
      "An administrator can settle a position at a stated result to put right an error. It is always shown to you, with the reason and the result that the market would have given, and it stays in your history. You can question it by a support ticket.",
    ],
  },
  {
    title: "Deposits and withdrawals",
    paragraphs: [
      `A deposit is credited when a member of staff has approved it. A withdrawal is held out of your balance from the moment you ask for it, and is paid out or returned once it is decided. You can cancel it while it waits. We process withdrawals within ${PROMISED_HOURS.withdrawal} hours. Minimum withdrawals are $50 by bank, $25 by card and $10 in cryptocurrency.`,
      "Before the first large withdrawal we ask for proof of who you are, and for a proof of address dated within 3 months. How long each way of payment takes stands in the payment policy.",
      "Virtual money of a demo account cannot be withdrawn or turned into real money.",
    ],
  },
  {
    title: "Risk",
    paragraphs: [
      "Trading on margin can lose money quickly. The leverage advertised for a tier is the most it offers; the leverage of your own account is what counts. Nothing on this site is advice to buy or sell.",
    ],
  },
  {
    title: "Suspension and closing",
    paragraphs: [
      "We may suspend or close an account that is used for fraud, against the law or against these terms, and we tell you why. Open positions of a suspended account stay under the care of their stops. You may close your account at any time once no position is open.",
    ],
  },
  {
    title: "Liability",
    paragraphs: [
      "We are liable for what we do wilfully or negligently, up to the fees of the last 12 months where the law allows such a limit. An account that was not used for 12 months may be charged an inactivity fee, of which we tell you beforehand.",
    ],
  },
];
