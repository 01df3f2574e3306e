import type { BonusState } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { Notice } from "../ui/States";

/** How much of a wallet is bonus money that can't be withdrawn yet, and what frees it; nothing where there is none. */
export const BonusNote = ({ bonus: { locked, turnover } }: { bonus: BonusState }) =>
  locked === "0.00" ? null : (
    <Notice title={`${displayMoney(locked)} of your money is a bonus`}>
      It can be withdrawn after {displayMoney(turnover)} more turnover: the amounts of the positions that you open on live accounts, added up.
    </Notice>
  );
