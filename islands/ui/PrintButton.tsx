import { Button } from "../../views/ui/Button";
import { island } from "../runtime/island";

/** Where no script runs, the browser's own menu prints. */
export const PrintButton = () => (
  <Button variant="secondary" className="js-only" onClick={() => window.print()}>
    Print
  </Button>
);

export default island("PrintButton", PrintButton, { when: "idle" });
