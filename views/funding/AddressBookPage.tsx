import type { PayoutAddress } from "../../src/funding/schema_addresses";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Field, SelectField } from "../ui/Field";
import { dateText } from "../ui/instant";
import { Notice } from "../ui/States";

export type BookSaid = { values: Partial<Record<string, string>>; errors: Partial<Record<string, string>>; message?: string };
type Props = { addresses: PayoutAddress[]; /** How long a new one waits. */ cooldownHours: number; asksCode: boolean; said?: BookSaid };

const CURRENCIES = ["USD", "BTC", "ETH", "USDT", "LTC"] as const;

/** Where one's withdrawals go, by names. Plain forms. */
export const AddressBookPage = ({ addresses, cooldownHours, asksCode, said = { values: {}, errors: {} } }: Props) => (
  <div className="mx-auto flex w-full max-w-[40rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
    <div>
      <h1 className="text-title font-semibold">Withdrawal addresses</h1>
      <p className="mt-2 text-soft">
        {cooldownHours > 0
          ? `A withdrawal to a new address is paid out ${cooldownHours} hours after you first used or noted it. Note the ones you will need.`
          : "The addresses that your withdrawals go to, by names."}
      </p>
    </div>
    {said.message ? <Notice kind="error">{said.message}</Notice> : null}
    {addresses.length === 0 ? null : (
      <Panel title="Your addresses">
        <ul aria-label="Your addresses" className="flex flex-col divide-y divide-line">
          {addresses.map(({ id, name, currency, address, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium [overflow-wrap:anywhere]">
                  {name} <span className="text-soft">{currency}</span>
                </p>
                <p className="text-table text-soft [overflow-wrap:anywhere]">
                  {address}, since {dateText(createdAt)}
                </p>
              </div>
              <form method="post" action="/withdrawal-addresses">
                <input type="hidden" name="remove" value={id} />
                <Button type="submit" variant="secondary" size="small" aria-label={`Remove ${name}`}>
                  Remove
                </Button>
              </form>
            </li>
          ))}
        </ul>
      </Panel>
    )}
    <Panel title="Note an address">
      <form noValidate method="post" action="/withdrawal-addresses" className="flex flex-col gap-4">
        <Field id="book-name" name="name" label="Name" maxLength={60} required defaultValue={said.values.name} error={said.errors.name} />
        <SelectField id="book-currency" name="currency" label="Currency" defaultValue={said.values.currency ?? "USD"} error={said.errors.currency}>
          {CURRENCIES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
        <Field
          id="book-address"
          name="address"
          label="Address"
          hint="A coin's address; for dollars the IBAN or account number with the bank."
          autoComplete="off"
          spellCheck="false"
          maxLength={200}
          required
          defaultValue={said.values.address}
          error={said.errors.address}
        />
        <Field
          id="book-password"
          name="password"
          type="password"
          label="Your password"
          autoComplete="current-password"
          maxLength={200}
          required
          spellCheck="false"
          autoCapitalize="none"
          error={said.errors.password}
        />
        {asksCode ? (
          <Field
            id="book-code"
            name="code"
            label="Authentication code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck="false"
            maxLength={24}
            required
            error={said.errors.code}
          />
        ) : null}
        <div className="flex justify-end">
          <Button type="submit">Note it</Button>
        </div>
      </form>
    </Panel>
  </div>
);
