import { Field } from "../../views/ui/Field";
import { CopyButton } from "../ui/CopyButton";
import { island } from "../runtime/island";

/** One's own address for inviting others, to copy. */
export const ReferralLink = ({ link }: { link: string }) => (
  <Field
    id="referral-link"
    label="Your referral link"
    readOnly
    defaultValue={link}
    onFocus={(event) => event.currentTarget.select()}
    trailing={<CopyButton text={link} what="Link" />}
  />
);

export default island("ReferralLink", ReferralLink, { when: "idle" });
