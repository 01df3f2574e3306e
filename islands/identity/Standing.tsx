import { useEffect, useState } from "react";
import type { User } from "../../src/identity/schema";
import { type PersonStanding, standingEvent } from "../../src/identity/schema_standing";
import { myStream } from "../../src/portal/schema";
import { IdentityCheck } from "../../views/identity/IdentityCheck";
import { Badge, statusTone } from "../../views/ui/Badge";
import { Notice } from "../../views/ui/States";
import { island } from "../runtime/island";
import { listen } from "../wire/stream";

type Props =
  | { part: "notice"; registration: User["registrationStatus"]; words: string }
  | { part: "registration"; registration: User["registrationStatus"] }
  | { part: "identity"; kyc: User["kycStatus"] };

const REGISTRATION = { pending: "Awaiting approval", approved: "Approved", rejected: "Rejected" } as const;

/** What staff decided about the reader, as the page knew it and from then on as it is. */
export function Standing(props: Props) {
  const [now, setNow] = useState<PersonStanding | null>(null);
  useEffect(() => listen<{ [standingEvent]: PersonStanding }>(myStream.path, { [standingEvent]: setNow }), []);
  if (props.part === "identity") return <IdentityCheck status={now?.kycStatus ?? props.kyc} />;
  const registration = now?.registrationStatus ?? props.registration;
  if (props.part === "registration") return <Badge tone={statusTone(registration)}>{REGISTRATION[registration]}</Badge>;
  if (registration === "pending") return <Notice title="Your registration is awaiting approval.">{props.words}</Notice>;
  if (registration === "approved" && props.registration === "pending")
    return <Notice title="Your registration was approved.">You can now trade live, move money into a live account and withdraw.</Notice>;
  return null;
}

export default island("Standing", Standing, { shared: true });
