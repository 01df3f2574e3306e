import type { Term, Written } from "../../src/trading/rules_terms";
import { inScreenWords, termWords } from "../../src/trading/rules_waiting";
import type { OrderType } from "../../src/trading/schema";
import { Field, numberField } from "../ui/Field";

type Props = {
  orderType: OrderType;
  /** The terms, as their fields begin. */ shown: Written;
  errors: Record<string, string>;
  /** No script will look at them. */ plain?: boolean;
};

const HINTS: Partial<Record<Term, string>> = {
  trailingDistance: "A distance, such as 0.0020: the stop loss follows it.",
  breakEvenAt: "A distance in profit: the stop loss goes to the open price.",
  expiresAt: "Empty: until cancelled.",
};

/** The fields of what an order waits for and of what moves its stop loss, in the dialog and on the page without scripts. */
export const TermFields = ({ orderType, shown, errors, plain = false }: Props) => (
  <div className="grid grid-cols-2 items-start gap-4">
    {(Object.keys(shown) as Term[]).map((name) => {
      const at = name === "expiresAt" ? { type: "datetime-local" } : { ...numberField(plain, "any"), placeholder: "None" };
      const error = errors[name];
      return (
        <div key={name} className={name === "expiresAt" || (name === "triggerPrice" && shown.limitPrice === undefined) ? "col-span-full" : ""}>
          <Field
            {...at}
            id={`position-${name}`}
            name={name}
            autoComplete="off"
            label={name === "expiresAt" ? "Expires (UTC)" : termWords(orderType)[name]}
            hint={HINTS[name]}
            defaultValue={shown[name]}
            error={error && inScreenWords(error, orderType)}
          />
        </div>
      );
    })}
  </div>
);
