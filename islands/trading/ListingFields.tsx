import { sessionsText } from "../../src/market/rules_hours";
import type { Listing } from "../../src/market/schema_listings";
import { Field, TextField } from "../../views/ui/Field";

type Props = { listing: Listing | null; messages: Record<string, string> };

/** What an instrument is called, how its prices are written, and how the simulator begins. */
export function ListingFields({ listing, messages }: Props) {
  const field = (name: string, label: string, hint: string, value: string | number | undefined) => (
    <Field id={`listing-${name}`} name={name} label={label} hint={hint} autoComplete="off" defaultValue={value ?? ""} error={messages[name]} />
  );
  const { start, volatility, spread } = listing?.simulator ?? {};
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("name", "Name", "Such as Euro / Swedish Krona.", listing?.name)}
        {field("digits", "Digits", "Decimals of a quoted price.", listing?.digits)}
        {field("pip", "Pip", "Empty: ten of the last digit.", listing?.pip)}
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("simulatorStart", "Simulator’s first price", "Empty where it knows both currencies.", start)}
        {field("simulatorVolatility", "Volatility a year", "0.1 is 10%.", volatility)}
        {field("simulatorSpread", "Simulator’s spread, pips", "Empty: a share of the price.", spread)}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {field("kraken", "Kraken’s symbol", listing ? "Empty: not quoted by it." : "Empty: the same.", listing?.kraken ?? undefined)}
        {field("replay", "Symbol in replayed files", listing ? "Empty: not quoted by them." : "Empty: the same.", listing?.replay ?? undefined)}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          id="listing-sessions"
          name="sessions"
          label="Sessions"
          hint="A line each: Mon-Fri 09:30-16:00. Empty: as its class."
          rows={3}
          defaultValue={listing?.hours ? sessionsText(listing.hours.sessions) : ""}
          error={messages.sessions}
        />
        <div className="flex flex-col gap-4">
          {field("zone", "Zone of the sessions", "Such as Europe/Stockholm.", listing?.hours?.zone ?? "America/New_York")}
          {field("holidays", "Days without sessions", "2026-12-24, or 12-25 for each year.", listing?.hours?.holidays.join(" "))}
        </div>
      </div>
    </>
  );
}
