import { withSigns } from "../ui/Signed";
import { resultText } from "./staff_words";

type Props = { administrator: string; reason: string; settled: string | null; market: string | null };

/** A correction as its trader will read it, before it is made. */
export const TraderSees = ({ administrator, reason, settled, market }: Props) => (
  <section aria-label="What the trader will see" className="rounded-control border border-line bg-sunken px-3 py-2">
    <p className="text-note text-soft">What the trader will see, at once and for ever</p>
    <p className="mt-1 text-table font-semibold">Settled by administrator</p>
    <p className="whitespace-pre-line text-table [overflow-wrap:anywhere]">{reason || "Your reason"}</p>
    <p className="mt-1 text-note tabular-nums text-soft [overflow-wrap:anywhere]">
      {withSigns(`Settled ${resultText(settled)}, market result ${resultText(market)}, by ${administrator}`)}
    </p>
  </section>
);
