import type { User } from "../../src/identity/schema";
import { Badge, type Tone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";

type Status = User["kycStatus"];
const WORDS: Record<Status, { label: string; tone: Tone; text: string }> = {
  pending: {
    label: "Pending",
    tone: "secondary",
    text: "Your identity has not been checked yet. To have it checked, send:",
  },
  rejected: {
    label: "Rejected",
    tone: "destructive",
    text: "What you sent was not accepted. Your documents say why; please send again:",
  },
  verified: { label: "Verified", tone: "default", text: "Your identity was checked." },
};

/** How far the check of the person's identity is, and what comes next. */
export function IdentityCheck({ status }: { status: Status }) {
  const { label, tone, text } = WORDS[status];
  return (
    <Panel title="Identity check (KYC)" id="kyc" action={<Badge tone={tone}>{label}</Badge>}>
      <p>{text}</p>
      {status === "verified" ? (
        <a href="/verification" className="mt-2 inline-flex min-h-11 items-center text-accent underline underline-offset-4">
          Your documents
        </a>
      ) : (
        <>
          <ul className="mb-4 mt-2 list-disc pl-5">
            <li>a passport or an identity card, both sides, all corners visible</li>
            <li>a proof of address dated within the last 3 months, such as a bank statement or a bill</li>
          </ul>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <ButtonLink href="/verification" variant="secondary">
              Send documents
            </ButtonLink>
            <p className="text-table text-soft">Staff check them and set the status here; you can trade on a demo account meanwhile.</p>
          </div>
        </>
      )}
    </Panel>
  );
}
