import { countryName } from "../../../src/lib/countries";
import { fact, given, type Writer } from "../letter";

const named = (code: string) => (/^[A-Z]{2}$/.test(code) ? countryName(code) : code);

export const countryChanged: Writer = (told) => ({
  subject: "Your country was changed",
  words: [
    `${told.firstName}, our staff noted that you live in another country than before. What holds there for leverage, bonuses and trading holds for your new orders from now on; open positions stay as they are.`,
  ],
  facts: given([
    ["Before", named(fact(told, "from"))],
    ["Now", named(fact(told, "to"))],
  ]),
  action: { label: "Open your verification", url: told.at("/verification") },
  after: ["If this is not right, write to our support."],
});
