import { useState } from "react";
import { type AuditVerdict, verifyAudit } from "../../src/audit/schema";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { Icon } from "../../views/ui/Icon";
import { Notice } from "../../views/ui/States";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { island } from "../runtime/island";

/** Recomputes the chain of the audit book and says whether it is whole. */
export function AdminAudit() {
  const [busy, setBusy] = useState(false);
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null);
  const verify = async () => {
    setBusy(true);
    setVerdict(await attempt("Error", () => call(verifyAudit)));
    setBusy(false);
  };
  return (
    <div className="js-only flex flex-wrap items-center gap-2 md:flex-row-reverse">
      <BusyButton variant="secondary" size="small" busy={busy} onClick={() => void verify()}>
        <Icon name="shield" className="size-4" />
        {busy ? "Verifying..." : "Verify"}
      </BusyButton>
      <div role="status">{verdict ? <Verdict verdict={verdict} /> : null}</div>
    </div>
  );
}

function Verdict({ verdict: { ok, entries, faults } }: { verdict: AuditVerdict }) {
  if (ok)
    return (
      <Notice kind="success">
        The chain is whole: {entries} {entries === 1 ? "entry" : "entries"} verified.
      </Notice>
    );
  return (
    <Notice kind="error" title="The chain is broken.">
      <ul>
        {faults.map(({ id, problem }) => (
          <li key={id}>
            No. {id}: {problem}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export default island("AdminAudit", AdminAudit);
