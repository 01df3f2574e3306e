import * as v from "valibot";
import { may } from "../../src/lib/may";
import { applyPreset, type Jurisdiction, jurisdictionBody, listJurisdictions, removeJurisdiction, setJurisdiction } from "../../src/compliance/schema_rules";
import { countries, countryName } from "../../src/lib/countries";
import { CLASSES, leverageText } from "../../views/compliance/words";
import { Button } from "../../views/ui/Button";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { PartHead } from "../../views/ui/staff/PartHead";
import { EmptyState } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

type Asked =
  { deed: "set"; row: Jurisdiction | null } | { deed: "remove"; row: Jurisdiction } | { deed: "preset"; versions: Pick<Jurisdiction, "country" | "version">[] };

/** The countries for which something is set, and the ways to set it. */
export function Jurisdictions({ jurisdictions }: { jurisdictions: Jurisdiction[] }) {
  const { value } = useLive(jurisdictions, () => call(listJurisdictions), ["setting", "person"]);
  const [asked, ask, close] = useAsked<Asked>();
  const columns: Column<Jurisdiction>[] = [
    { key: "country", title: "Country", lead: true, cell: ({ country }) => countryName(country) },
    { key: "people", title: "People", numeric: true, cell: ({ people }) => people },
    { key: "served", title: "Served", cell: ({ isServed }) => (isServed ? "Yes" : "No") },
    { key: "leverage", title: "Leverage at most", cell: leverageText },
    { key: "promotions", title: "Promotions", cell: ({ promotions }) => (promotions ? "Yes" : "No") },
    { key: "warning", title: "Risk warning", cell: ({ warning }) => (warning ? "Its own" : null) },
    ...(may("compliance.change")
      ? [
          {
            key: "deed",
            title: "Actions",
            cell: (row: Jurisdiction) => (
              <span className="js-only flex gap-2 md:justify-end">
                <Button variant="quiet" size="small" aria-label={`Change ${countryName(row.country)}`} onClick={() => ask({ deed: "set", row })}>
                  Change
                </Button>
                <Button variant="quiet" size="small" aria-label={`Remove ${countryName(row.country)}`} onClick={() => ask({ deed: "remove", row })}>
                  Remove
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="jurisdictions">
      <PartHead
        id="jurisdictions"
        title="Countries"
        lead="While any country stands here, nobody is approved who has not said where he or she lives. Positions that are open keep their margin."
      >
        {may("compliance.change") ? (
          <span className="js-only flex flex-wrap gap-2">
            <Button variant="secondary" size="small" onClick={() => ask({ deed: "set", row: null })}>
              Add a country
            </Button>
            <Button
              variant="secondary"
              size="small"
              onClick={() => ask({ deed: "preset", versions: value.map(({ country, version }) => ({ country, version })) })}
            >
              Apply 'ESMA retail'
            </Button>
          </span>
        ) : null}
      </PartHead>
      {value.length === 0 ? (
        <EmptyState icon="globe" title="No country has rules of its own">
          Everybody is served alike.
        </EmptyState>
      ) : (
        <Table caption="Countries" columns={columns} rows={value} rowKey={({ country }) => country} />
      )}
      {asked?.deed === "set" ? <CountryDialog row={asked.row} onClose={close} /> : null}
      {asked?.deed === "remove" ? (
        <ActionDialog
          id="jurisdiction"
          title={`Remove the rules of ${countryName(asked.row.country)}`}
          consequence="People who live there are then served like everybody else."
          schema={v.object({})}
          names={[]}
          fields={() => null}
          submit="Remove"
          busy="Removing..."
          danger
          begin="button"
          send={async () => {
            const done = await call(removeJurisdiction, { country: asked.row.country, version: asked.row.version });
            if (!tellWaiting(done)) toast({ title: `${countryName(asked.row.country)} has no rules of its own` });
          }}
          onClose={close}
        />
      ) : null}
      {asked?.deed === "preset" ? (
        <ActionDialog
          id="jurisdiction"
          title="Apply 'ESMA retail'"
          consequence="In the 30 countries of the European Economic Area: at most 1:30 on major pairs, 1:20 on other pairs and 1:2 on coins, no promotions, and the regulator's risk warning. Whether they are served stays as it is."
          schema={v.object({})}
          names={[]}
          fields={() => null}
          submit="Apply"
          busy="Applying..."
          begin="button"
          send={async () => {
            const done = await call(applyPreset, { preset: "esma-retail", versions: asked.versions });
            if (!tellWaiting(done)) toast({ title: "'ESMA retail' holds in 30 countries" });
          }}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

function CountryDialog({ row, onClose }: { row: Jurisdiction | null; onClose: () => void }) {
  const choice = (name: "isServed" | "promotions", label: string) => (
    <SelectField id={`jurisdiction-${name}`} name={name} label={label} defaultValue={row?.[name] === false ? "no" : "yes"}>
      <option value="yes">Yes</option>
      <option value="no">No</option>
    </SelectField>
  );
  return (
    <ActionDialog
      id="jurisdiction"
      title={row ? `Rules of ${countryName(row.country)}` : "Rules of a country"}
      consequence="They count from now on: for registrations, approvals, new orders and bonuses of people who live there."
      schema={jurisdictionBody}
      names={["country", "isServed", "leverageMajor", "leverageMinor", "leverageCrypto", "promotions", "warning", "version"]}
      mends
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={row?.version ?? "none"} />
          {row ? (
            <input type="hidden" name="country" value={row.country} />
          ) : (
            <SelectField id="jurisdiction-country" name="country" label="Country" error={messages.country}>
              <option value="">Choose a country</option>
              {countries().map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
          {choice("isServed", "People who live there are served")}
          {CLASSES.map(([name, label]) => (
            <Field
              key={name}
              id={`jurisdiction-${name}`}
              name={name}
              label={`Leverage on ${label}, at most 1 to`}
              hint="Empty: the account's own."
              inputMode="numeric"
              defaultValue={row?.[name] ?? ""}
              error={messages[name]}
            />
          ))}
          {choice("promotions", "Bonuses may be paid")}
          <TextField
            id="jurisdiction-warning"
            name="warning"
            label="Risk warning (optional)"
            hint="Stands in the place of the site's own for whoever is signed in and lives there."
            rows={4}
            maxLength={1000}
            defaultValue={row?.warning ?? ""}
            error={messages.warning}
          />
        </>
      )}
      submit="Set"
      busy="Setting..."
      send={async (body) => {
        const done = await call(setJurisdiction, body);
        if (!tellWaiting(done)) toast({ title: `The rules of ${countryName(body.country)} were set` });
      }}
      onClose={onClose}
    />
  );
}

export default island("Jurisdictions", Jurisdictions);
