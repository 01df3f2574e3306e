import type { Verdict } from "../../src/proof/rules_verify";
import type { Step } from "../../src/proof/rules_verify_report";
import { groupedText } from "../../views/ui/grouped";
import { Icon } from "../../views/ui/Icon";

const STATES = {
  holds: { icon: "check", colour: "text-gain", word: "Holds" },
  fails: { icon: "warning", colour: "text-loss", word: "Fails" },
  open: { icon: "info", colour: "text-soft", word: "Not checked" },
} as const;

/** What a check found: the verdict in a sentence, then each step. */
export const Found = ({ verdict, name }: { verdict: Verdict; name: string }) => {
  const { holds, reason, title, steps } = verdict;
  return (
    <section aria-label="What was found" className="rounded-card border border-line bg-surface">
      <div className={holds ? "rounded-t-card bg-gain-soft p-4" : "rounded-t-card bg-loss-soft p-4"} role={holds ? "status" : "alert"}>
        <p className="flex items-center gap-2 text-heading font-semibold">
          <Icon name={holds ? "check" : "warning"} className={holds ? "size-6 text-gain" : "size-6 text-loss"} />
          {holds ? "It holds" : "It does not hold"}
        </p>
        <p className="mt-1 [overflow-wrap:anywhere]">{holds ? groupedText(title) : reason}</p>
        <p className="text-table text-soft [overflow-wrap:anywhere]">{name}</p>
      </div>
      <ol className="divide-y divide-line">
        {steps.slice(0, MOST).map((step, n) => (
          <Line key={n} step={step} />
        ))}
      </ol>
      {steps.length > MOST ? (
        <p className="border-t border-line px-4 py-3 text-soft">{`and ${(steps.length - MOST).toLocaleString("en-US")} more steps.`}</p>
      ) : null}
    </section>
  );
};

/** A statement has thousands of steps; those that fail are said above. */
const MOST = 200;

const Line = ({ step: { state, what } }: { step: Step }) => {
  const { icon, colour, word } = STATES[state];
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <Icon name={icon} label={word} className={`mt-0.5 size-5 shrink-0 ${colour}`} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{groupedText(what)}</span>
    </li>
  );
};
