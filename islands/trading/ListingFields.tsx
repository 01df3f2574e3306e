import type { Listing } from "../../src/market/schema_listings";
import { LISTING_WORDS, writtenListing } from "../../src/trading/rules_instrument_words";
import { NEW_YORK } from "../../src/lib/time";
import { Field, TextField } from "../../views/ui/Field";

type Props = { listing: Listing | null; messages: Record<string, string> };

/** What an instrument is called, how its prices are written, and how the simulator begins. */
export function ListingFields({ listing, messages }: Props) {
  const now: Partial<Record<keyof typeof LISTING_WORDS, string>> = listing ? writtenListing(listing) : {};
  const field = (name: keyof typeof LISTING_WORDS, hint: string, value = now[name]) => (
    <Field id={`listing-${name}`} name={name} label={LISTING_WORDS[name]} hint={hint} autoComplete="off" defaultValue={value ?? ""} error={messages[name]} />
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("name", "Such as Euro / Swedish Krona.")}
        {field("digits", "Decimals of a quoted price.")}
        {field("pip", "Empty: ten of the last digit.")}
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("simulatorStart", "Empty where it knows both currencies.")}
        {field("simulatorVolatility", "0.1 is 10%.")}
        {field("simulatorSpread", "Empty: a share of the price.")}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {field("kraken", listing ? "Empty: not quoted by it." : "Empty: the same.")}
        {field("replay", listing ? "Empty: not quoted by them." : "Empty: the same.")}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          id="listing-sessions"
          name="sessions"
          label={LISTING_WORDS.sessions}
          hint="A line each: Mon-Fri 09:30-16:00. Empty: as its class."
          rows={3}
          defaultValue={now.sessions ?? ""}
          error={messages.sessions}
        />
        <div className="flex flex-col gap-4">
          {field("zone", "Such as Europe/Stockholm.", now.zone || NEW_YORK)}
          {field("holidays", "2026-12-24, or 12-25 for each year.")}
        </div>
      </div>
    </>
  );
}
