import { expect, test } from "bun:test";
import { offersOf } from "./offers";

const deposit = { id: "deposit_bonus", title: "", amount: "500.00", minimumDeposit: "5000.00", turnover: 10, endsAt: null, countries: null } as const;
const bitcoin = { id: "bitcoin_bonus", title: "", amount: "62.50", minimumDeposit: "5000.00", turnover: 10, endsAt: null, countries: null } as const;
const TERMS = " It can be withdrawn once 10 times its amount was traded on live accounts.";

test("the sentences say what the promotions say", () => {
  const offers = offersOf([deposit, bitcoin]);
  expect(offers.banner).toBe("A $500 bonus on a $5,000 deposit.");
  expect(offers.bitcoin).toBe("A deposit of $5,000 in Bitcoin earns a $62.50 sign-up bonus." + TERMS);
  expect(offers.slide?.subtitle).toBe("A first deposit of $5,000 earns $500 on top. Made in Bitcoin, it earns the $62.50 sign-up bonus too." + TERMS);
});

test("what is not on offer is not promised", () => {
  expect(offersOf([])).toEqual({ banner: "A demo account with $10,000 opens at once.", bitcoin: null, slide: null });
  expect(offersOf([deposit]).slide?.subtitle).toBe("A first deposit of $5,000 earns $500 on top." + TERMS);
  expect(offersOf([{ ...deposit, turnover: 0 }]).slide?.subtitle).toBe("A first deposit of $5,000 earns $500 on top.");
});
