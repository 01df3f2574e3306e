import Verification from "../../islands/compliance/Verification";
import type { Verification as Facts } from "../../src/compliance/schema";
import { countries, countryName } from "../../src/lib/countries";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Card";
import { SelectField } from "../ui/Field";

type Props = { verification: Facts; country: string | null; said?: { kind: string; message: string } };

/** Where a person shows who they are. */
export const VerificationPage = ({ country, ...props }: Props) => (
  <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
    <div>
      <h1 className="text-title font-semibold">Verification</h1>
      <p className="mt-2 text-soft">
        Documents that show who you are and where you live. They are kept encrypted, only staff who check them see them, and each look is noted here.
      </p>
    </div>
    <Verification {...props} />
    <Home country={country} {...(props.said?.kind === "country" ? { said: props.said.message } : {})} />
  </div>
);

/** Where the person lives: said once, by a plain form. */
const Home = ({ country, said }: { country: string | null; said?: string }) => (
  <Panel title="Country" id="country">
    {country ? (
      <p>
        You live in {countryName(country)}. <span className="text-soft">Please write to us when that changes.</span>
      </p>
    ) : (
      <form method="post" action="/verification" encType="multipart/form-data" className="flex flex-col gap-4">
        <SelectField id="home" name="country" label="The country you live in" hint="It can be said once; staff can change it." error={said} required>
          <option value="">Choose a country</option>
          {countries().map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <div className="flex justify-end">
          <Button type="submit">Save</Button>
        </div>
      </form>
    )}
  </Panel>
);
