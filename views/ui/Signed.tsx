import type { ReactNode } from "react";
import { displayMoney } from "../../src/lib/money";

/** An amount with its sign, within a sentence: the two never stand on different lines. */
export const Signed = ({ value }: { value: string }) => <span className="whitespace-nowrap">{displayMoney(value, { sign: true })}</span>;

const LOSS = /(−\$[\d,.]*\d)/;

/** A text in which losses stand: a browser breaks the line between '−' and '$' where nothing holds them together. */
export const withSigns = (text: ReactNode): ReactNode =>
  typeof text === "string" && LOSS.test(text)
    ? text.split(LOSS).map((part, at) =>
        at % 2 ? (
          <span key={at} className="whitespace-nowrap">
            {part}
          </span>
        ) : (
          part
        ),
      )
    : text;
