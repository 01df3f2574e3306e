import { useEffect } from "react";
import { signInAgain } from "../wire/api";
import { island } from "../runtime/island";

/** Sends a visitor of the control panel to sign in and come back. Where no script runs, the page's own link does. */
export function AdminGate() {
  useEffect(() => signInAgain(), []);
  return <span hidden />;
}

export default island("AdminGate", AdminGate);
