import type { StaffDocument } from "../../src/compliance/schema";
import { countryName } from "../../src/lib/countries";

/** What the document is held against: who says to be whom, and to live where. */
export const DocumentOwner = ({ document: { firstName, lastName, email, country, userId } }: { document: StaffDocument }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-table [&_dd]:text-right [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-soft">
    <dt>Name</dt>
    <dd>
      <a href={`/admin/users/${userId}`} className="text-ink underline-offset-4 hover:underline">{`${firstName} ${lastName}`}</a>
    </dd>
    <dt>Email</dt>
    <dd>{email}</dd>
    <dt>Country</dt>
    <dd>{country ? countryName(country) : "not said"}</dd>
  </dl>
);
