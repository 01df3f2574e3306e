import * as v from "valibot";

/** The countries of the world by ISO 3166-1, as people choose theirs. */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";
const names = lazily(() => new Intl.DisplayNames("en", { type: "region" }));

export const countryName = (code: string): string => names().of(code) ?? code;
/** All of them, by their names. */
export const countries = lazily(() =>
  CODES.split(" ")
    .map((code): [string, string] => [code, countryName(code)])
    .sort(([, one], [, other]) => one.localeCompare(other, "en")),
);

/** Made when it is asked for first: whoever loads a schema alone needs none of it. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const CHOOSE = "Choose a country of the list.";
export const country = v.pipe(
  v.string(CHOOSE),
  v.check((code) => /^[A-Z]{2}$/.test(code) && CODES.includes(code), CHOOSE),
);
/** The same where it may be left out; nothing is what a form sends then. */
export const optionalCountry = v.pipe(
  v.optional(v.nullable(v.union([v.literal(""), country], CHOOSE)), null),
  v.transform((code) => code || null),
);

/** The European Economic Area. */
export const EEA = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" ");

const HOMES = "Give countries by their codes, such as DE, FR.";
/** Codes as a list, or as a form's text: DE, FR. None at all comes out as null. */
export const homes = v.pipe(
  v.nullable(v.union([v.array(v.unknown()), v.string()], HOMES)),
  v.transform((said) => (typeof said === "string" ? said.split(/[\s,]+/).filter(Boolean) : (said ?? []))),
  v.transform((said) => [...new Set(said.map((code) => (typeof code === "string" ? code.toUpperCase() : "")))]),
  v.maxLength(300, "At most 300 countries."),
  v.check((codes) => codes.every((code) => v.is(country, code)), HOMES),
  v.transform((codes) => (codes.length > 0 ? codes : null)),
);
