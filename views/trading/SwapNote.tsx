import { displayMoney } from "../../src/lib/money";

/** Below a result: what the position's nights brought it. */
export const SwapNote = ({ swap }: { swap: string | null | undefined }) =>
  swap ? <span className="block text-note text-soft">{`Swap ${displayMoney(swap, { sign: true })}`}</span> : null;
