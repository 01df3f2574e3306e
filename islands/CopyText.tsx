import { CopyButton } from "./lib/CopyButton";
import { island } from "./lib/island";

/** Copies a text that stands on the page. `what` names it ("Key"). */
export const CopyText = ({ text, what }: { text: string; what: string }) => <CopyButton text={text} what={what} />;

export default island("CopyText", CopyText, { when: "idle" });
