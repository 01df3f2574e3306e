import { displayMoney } from "../../src/lib/money";
import type { Promotion } from "../../src/funding/schema_history";
import { bonusTerms } from "../funding/promotion_words";
import type { Slide } from "./packages";

/** The site's promises, as sentences made from the promotions that approvals pay; null where one is not on offer. */
type Offers = { banner: string; bitcoin: string | null; slide: Slide | null };

/** "$5,000", and "$62.50" where there are cents. */
const dollars = (amount: string) => displayMoney(amount).replace(/\.00$/, "");

export function offersOf(promotions: readonly Promotion[]): Offers {
  const deposit = promotions.find(({ id }) => id === "deposit_bonus");
  const bitcoin = promotions.find(({ id }) => id === "bitcoin_bonus");
  const bitcoinToo = bitcoin && deposit ? ` Made in Bitcoin, it earns the ${dollars(bitcoin.amount)} sign-up bonus too.` : "";
  return {
    banner: deposit ? `A ${dollars(deposit.amount)} bonus on a ${dollars(deposit.minimumDeposit)} deposit.` : "A demo account with $10,000 opens at once.",
    bitcoin: bitcoin
      ? `A deposit of ${dollars(bitcoin.minimumDeposit)} in Bitcoin earns a ${dollars(bitcoin.amount)} sign-up bonus.${bonusTerms(bitcoin)}`
      : null,
    slide: deposit
      ? {
          title: "Start with more than you bring:",
          highlight: `${dollars(deposit.amount)} bonus.`,
          subtitle: `A first deposit of ${dollars(deposit.minimumDeposit)} earns ${dollars(deposit.amount)} on top.${bitcoinToo}${bonusTerms(deposit)}`,
          cta: "Register Now",
          link: "/register",
        }
      : null,
  };
}
