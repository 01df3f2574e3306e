import type { StaffDeposit } from "../../src/funding/schema";
import { ClientLink } from "../ui/staff/AdminTable";
import { instantText } from "../ui/instant";
import { Notice } from "../ui/States";
import { personOf } from "./request_words";

/** Others who claim this deposit's payment: anyone can read a hash on its chain, and so be the first to name it. */
export const OtherClaims = ({ deposit: { claims } }: { deposit: StaffDeposit }) =>
  claims?.length ? (
    <Notice kind="warning" title="This payment is also claimed by">
      <ul>
        {claims.map((claim) => (
          <li key={claim.userId}>
            <ClientLink id={claim.userId} name={personOf(claim)} email={`${claim.email}, ${instantText(claim.createdAt)}`} />
          </li>
        ))}
      </ul>
    </Notice>
  ) : null;

/** The same in one line of a row. */
export const ClaimsLine = ({ deposit: { claims } }: { deposit: StaffDeposit }) =>
  claims?.length ? (
    <span className="text-warn">
      This payment is also claimed by{" "}
      {claims.map((claim, at) => (
        <span key={claim.userId}>
          {at > 0 ? ", " : ""}
          <a href={`/admin/users/${claim.userId}`} className="font-medium text-warn underline underline-offset-2">
            {personOf(claim)}
          </a>{" "}
          {`(${claim.email}, ${instantText(claim.createdAt)})`}
        </span>
      ))}
    </span>
  ) : null;
