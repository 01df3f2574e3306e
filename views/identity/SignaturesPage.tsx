import AdminSignatures from "../../islands/identity/AdminSignatures";
import SignatureRules from "../../islands/identity/SignatureRules";
import type { Signature, SignatureRule } from "../../src/identity/schema_signatures";
import { panelTab } from "../ui/staff/address";
import { StatusLinks } from "../ui/staff/Filters";

const STATES = [
  { id: "pending", label: "Waiting" },
  { id: "signed", label: "Signed" },
  { id: "declined", label: "Declined" },
  { id: "expired", label: "Expired" },
  { id: "all", label: "All" },
] as const;

type Props = { signatures: Signature[]; rules: SignatureRule[]; status: "all" | Signature["status"]; me: string };

/** What takes a second person: the queue, and what is asked for so. */
export const SignaturesPage = ({ signatures, rules, status, me }: Props) => (
  <div className="flex max-w-[72rem] flex-col gap-6">
    <section aria-labelledby="signatures" className="flex flex-col gap-2">
      <h2 id="signatures" className="text-product font-semibold">
        Second signatures
      </h2>
      <p className="max-w-prose text-table text-soft">
        What one person asked for and another who may do the same must sign. Who asked can&rsquo;t sign, nor who became an administrator less than 24 hours ago.
        What nobody signs within a day is over.
      </p>
      <StatusLinks at={`${panelTab("settings")}&view=signatures`} query={{ status }} choices={STATES} label="State" />
      <AdminSignatures signatures={signatures} status={status} me={me} />
    </section>
    <SignatureRules rules={rules} />
  </div>
);
