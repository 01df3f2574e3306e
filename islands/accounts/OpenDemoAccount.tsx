import { useState } from "react";
import { createAccount } from "../../src/accounts/schema";
import { Button } from "../../views/ui/Button";
import { attempt } from "../wire/attempt";
import { sendOnce } from "../wire/intent";
import { island } from "../runtime/island";

/** Opens a Starter demo account and shows the page again with it. */
export function OpenDemoAccount() {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    const account = await attempt("Error", () => sendOnce(createAccount, { accountTypeId: "starter", isDemo: true }), "Failed to create account");
    if (account) location.reload();
    else setBusy(false);
  };
  return (
    <Button className="js-only" disabled={busy} onClick={() => void open()}>
      {busy ? "Opening..." : "Open a demo account"}
    </Button>
  );
}

export default island("OpenDemoAccount", OpenDemoAccount);
