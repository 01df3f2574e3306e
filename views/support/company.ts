/** A fact about the operator. `sample`: made up for a demonstration, and marked so wherever it shows. */
export type Fact = { text: string; sample: boolean };
type Name = "name" | "number" | "address" | "phone" | "email" | "domain";
/** The company on the public pages; null where a live site's operator published nothing. */
export type Company = Record<Name, Fact | null>;

/** Numbers from the range that is kept free for fiction, addresses that lead nowhere. */
const SAMPLES: Record<Name, string> = {
  name: "Halyard Markets (demonstration)",
  number: "HM-0000-2019",
  address: "14 Ropewalk Quay, Sampleton",
  phone: "+1 202 555 0142",
  email: "support@halyard.example",
  domain: "Registered on 4 March 2019 with Sample Registrar",
};

/** The operator's own words where they are set; else samples in a demonstration and nothing on a live site. */
export const companyOf = (set: Record<Name, string | null>, demonstration: boolean): Company =>
  Object.fromEntries(
    Object.entries(SAMPLES).map(([name, sample]) => {
      const own = set[name as Name];
      return [name, own !== null ? { text: own, sample: false } : demonstration ? { text: sample, sample: true } : null];
    }),
  ) as Company;
