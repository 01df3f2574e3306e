import { useState } from "react";
import { createAccount } from "../src/accounts/schema";
import { Button } from "../views/ui/Button";
import { call, newKey } from "./lib/api";
import { attempt } from "./lib/deed";
import { island } from "./lib/island";

/** Opens a Starter demo account and shows the page again with it. */
export function OpenDemoAccount() {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    const account = await attempt("Error", () => call(createAccount, { accountTypeId: "starter", isDemo: true }, { idempotencyKey: newKey() }));
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
