import { CopyButton } from "./CopyButton";
import { island } from "../runtime/island";

/** Copies a text that stands on the page. `what` names it ("Key"). */
export const CopyText = ({ text, what }: { text: string; what: string }) => <CopyButton text={text} what={what} />;

export default island("CopyText", CopyText, { when: "idle" });
