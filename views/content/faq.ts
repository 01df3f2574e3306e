import { PROMISED_HOURS } from "../../src/lib/promises";
/** What people ask, in five categories of four, as the page shows and searches it. */
export type Question = { id: string; question: string; answer: string };
export type Category = { title: string; questions: Question[] };

const category = (title: string, ...pairs: [id: string, question: string, answer: string][]): Category => ({
  title,
  questions: pairs.map(([id, question, answer]) => ({ id, question, answer })),
});

const own: Category[] = [
  category(
    "Getting Started",
    [
      "open-account",
      "How do I open an account?",
      "Choose Register Now, give your name, an email address and a password of at least 6 characters. You are signed in at once, and a Starter demo account with $10,000 of virtual money is open. To trade live, choose a package, deposit, and wait for the deposit to be confirmed.",
    ],
    [
      "minimum-deposit",
      "What is the minimum deposit?",
      "The Starter package begins at $1,000, Bronze at $5,000, Silver at $20,000, Gold at $50,000 and Platinum at $75,000. A demo account needs no deposit at all. A single deposit in cryptocurrency must be at least $300.",
    ],
    [
      "demo-account",
      "Can I practise before I use real money?",
      "Yes. The demo account fills, slips and charges spread exactly as a live one does; only the money is virtual. It never runs out of time. Virtual money cannot be withdrawn or moved to a live account.",
    ],
    [
      "approval",
      "Why is my registration awaiting approval?",
      "A member of staff looks at each registration before live trading, transfers to a live account and withdrawals are possible. Until then you can trade on demo, deposit and use everything else. If a registration is refused, you are told the reason.",
    ],
  ),
  category(
    "Trading",
    [
      "instruments",
      "What can I trade?",
      "Seven major and eight minor currency pairs, and twenty cryptocurrencies against the US dollar. Trading assets lists every instrument with its spread, and says which ones are still to come.",
    ],
    [
      "leverage",
      "What leverage do I get?",
      "On forex at most 1:500 with Starter; higher tiers advertise up to 1:700, 1:1000, 1:3000 and 1:5000. What counts for your margin is the leverage of your own account, which is 1:100 unless it was changed: $1,000 of a position then needs $10 of margin. Leverage enlarges losses as much as profits.",
    ],
    [
      "hours",
      "When are the markets open?",
      "Forex from Sunday 5 PM to Friday 5 PM EST, crypto at any hour. An order that you place in a closed market waits, and fills at the first price after the opening if your margin still allows it. You can cancel it until then.",
    ],
    [
      "stops",
      "How do stop loss and take profit work?",
      "Each is a price at which your position closes by itself, also while you are signed out. It fills at the first price that reaches it. Where the market jumps over your level, it fills at the price after the jump, which may be worse than a stop and better than a target.",
    ],
  ),
  category(
    "Deposits & Withdrawals",
    [
      "deposit-methods",
      "How can I deposit?",
      "By card, by bank wire, or in BTC, ETH, USDT or LTC. A card payment takes 3-5 business days, a bank wire 3-7 business days, and cryptocurrency arrives within 24 hours, usually 5-30 minutes after the network has confirmed it. Your balance changes when a member of staff has approved the deposit.",
    ],
    [
      "withdrawal-minimum",
      "How do I withdraw, and what is the least?",
      "Choose Request Withdrawal on your dashboard. The minimum is $50 by bank, $25 by card and $10 in cryptocurrency. The amount is held out of your balance from the moment you ask, and you can cancel while the request waits.",
    ],
    [
      "withdrawal-time",
      "How long does a withdrawal take?",
      `We process withdrawals within ${PROMISED_HOURS.withdrawal} hours. Then the way of the money counts: within 24 hours in cryptocurrency, 3-5 business days to a card, 3-7 business days by bank wire.`,
    ],
    [
      "bonus",
      "When is a bonus paid?",
      "With the approval of your first deposit, if it reaches the amount that the offer names. Who came with a referral code brings the friend who gave it a bonus too, once, when that deposit is approved and reaches the offer's minimum. A bonus can be withdrawn once the multiple of its amount that the offer names was traded on live accounts. Today's offers are on the home page.",
    ],
  ),
  category(
    "Account Management",
    [
      "several-accounts",
      "Can I have more than one account?",
      "Yes. One registration can hold several trading accounts, live and demo, of different packages. Money moves between your wallet and your live accounts by a transfer, free of charge and at once.",
    ],
    [
      "change-password",
      "How do I change my password?",
      "On your profile, under security. Changing it signs you out on every other device. There you also see where you are signed in, and can end any session you do not know.",
    ],
    [
      "inactivity",
      "Is there a fee if I do not trade?",
      "Not in the first year. After 12 months without a trade or a sign-in an inactivity fee may be charged. We tell you beforehand, and never take more than the balance.",
    ],
    [
      "close-account",
      "How do I close my account?",
      "Close your positions, withdraw your balance, and write to us. We close the account and keep the records that the law requires: data about money and trading is retained for 7 years.",
    ],
  ),
  category(
    "Security & Regulation",
    [
      "funds-safe",
      "Is my money safe?",
      "Every balance is the sum of entries in a double-entry ledger that refuses to be changed afterwards, and the books are checked every minute. Your trading balance cannot end below zero. No broker can take the risk of the market from you: trade only with money you can afford to lose.",
    ],
    [
      "data",
      "How is my data protected?",
      "Passwords are stored as a hash from which they cannot be read. The sign-in cookie is out of the reach of scripts. Nothing on these pages is loaded from others, so nobody else learns that you were here. The privacy policy says what is kept, and for how long.",
    ],
    [
      "verification",
      "Which documents do you ask for?",
      "Proof of who you are, and a proof of address dated within the last 3 months, such as a bank statement or a bill. We ask before the first large withdrawal at the latest, because the money must go to the person who brought it.",
    ],
    [
      "manipulation",
      "Can you change the result of my trade?",
      "Not in secret. An administrator can settle a position to put right an error. You are told at once, and your history shows for ever the reason, the settled result and the one the market would have given, with a button to object.",
    ],
  ),
];

/** The categories with the questions whose question or answer holds the words, without regard to case; all of them for no words. */
export function searchFaq(words: string, faq: Category[] = own): Category[] {
  const asked = words.trim().toLowerCase();
  if (!asked) return faq;
  const holds = ({ question, answer }: Question) => question.toLowerCase().includes(asked) || answer.toLowerCase().includes(asked);
  return faq.map(({ title, questions }) => ({ title, questions: questions.filter(holds) })).filter(({ questions }) => questions.length > 0);
}

export { own as faq };

const slug = (words: string) =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Questions and answers as a text: a heading of the second level for each category, of the third for each question. */
export const faqText = (categories: readonly Category[]): string =>
  categories
    .map(({ title, questions }) => [`## ${title}`, ...questions.map(({ question, answer }) => `### ${question}\n\n${answer}`)].join("\n\n"))
    .join("\n\n");

/** The reverse; answers are plain words. Empty where there is no question in a category, or one without an answer. */
export function faqOf(text: string): Category[] {
  const categories = text
    .split(/^## +/m)
    .slice(1)
    .map((part): Category => {
      const [title = "", ...rest] = part.split("\n");
      const questions = rest
        .join("\n")
        .split(/^### +/m)
        .slice(1)
        .map((asked): Question => {
          const [question = "", ...answer] = asked.split("\n");
          return {
            id: slug(question),
            question: question.trim(),
            answer: answer
              .join("\n")
              .trim()
              .replace(/\s*\n\s*/g, " "),
          };
        });
      return { title: title.trim(), questions };
    });
  const isWhole = categories.every(({ title, questions }) => title && questions.length > 0 && questions.every(({ question, answer }) => question && answer));
  return isWhole ? categories : [];
}
