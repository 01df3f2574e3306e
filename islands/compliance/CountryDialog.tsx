import { useEffect, useState } from "react";
import { type Jurisdiction, listJurisdictions, setCountry } from "../../src/compliance/schema_rules";
import type { User } from "../../src/identity/schema";
import { countries, countryName } from "../../src/lib/countries";
import { countryEffects } from "../../views/compliance/words";
import { SelectField, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** Notes where a client lives, with what then holds for them before anything is sent. */
export function CountryDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [rules, setRules] = useState<Jurisdiction[] | null>(null);
  const [home, setHome] = useState("");
  const [fault, setFault] = useState("");
  useEffect(() => {
    let here = true;
    call(listJurisdictions).then(
      (rows) => here && setRules(rows),
      (error: Error) => here && setFault(error.message),
    );
    return () => void (here = false);
  }, []);
  const name = `${user.firstName} ${user.lastName}`;
  const now = user.country ? `${name} lives in ${countryName(user.country)}.` : `It is not known where ${name} lives.`;
  return (
    <ActionDialog
      id="country"
      title={`Country of ${name}`}
      consequence={
        <>
          <p>{now}</p>
          <div role="status" className="mt-2 text-product">
            {fault ? (
              `What holds in the countries could not be read: ${fault}`
            ) : !home ? (
              <p className="text-soft">Choose a country to see what holds there.</p>
            ) : (
              <>
                <p>{`In ${countryName(home)}, from now on:`}</p>
                <ul className="mt-1 list-disc pl-5">
                  {countryEffects(rules?.find(({ country }) => country === home) ?? null).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </>
            )}
          </div>
        </>
      }
      schema={setCountry.body}
      names={["country", "reason"]}
      ready={rules !== null}
      fields={(messages) => (
        <>
          <SelectField
            id="country-home"
            name="country"
            label="Lives in"
            value={home}
            onChange={({ currentTarget }) => setHome(currentTarget.value)}
            error={messages.country}
          >
            <option value="">Choose a country</option>
            {countries()
              .filter(([code]) => code !== user.country)
              .map(([code, words]) => (
                <option key={code} value={code}>
                  {words}
                </option>
              ))}
          </SelectField>
          <TextField
            id="country-reason"
            name="reason"
            label="Reason"
            hint={`What shows it: kept in the audit trail. ${user.firstName} is told of the change by letter, not of the reason.`}
            rows={3}
            maxLength={500}
            error={messages.reason}
          />
        </>
      )}
      submit="Note the country"
      busy="Noting..."
      send={async (body) => {
        await call(setCountry, body, { params: { id: user.id } });
        toast({ title: "Country noted", description: `${name}: ${countryName(body.country)}` });
      }}
      onClose={onClose}
    />
  );
}
