import { useState } from "react";
import { createAccount } from "../src/accounts/schema";
import { Button } from "../views/ui/Button";
import { attempt } from "./lib/deed";
import { useIntent } from "./lib/intent";
import { island } from "./lib/island";

/** Opens a Starter demo account and shows the page again with it. */
export function OpenDemoAccount() {
  const [busy, setBusy] = useState(false);
  const intent = useIntent();
  const open = async () => {
    setBusy(true);
    const account = await attempt("Error", () => intent(createAccount, { accountTypeId: "starter", isDemo: true }));
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
