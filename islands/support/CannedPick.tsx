import { useState } from "react";
import type { CannedAnswer } from "../../src/support/schema_inbox";
import { Button } from "../../views/ui/Button";

/**
 * Puts an answer that is kept ready into the field that is being written. The list only chooses: by keyboard every step through it is
 * a choice, and words that nobody meant would be in the answer.
 */
export function CannedPick({ id, canned, onPick }: { id: string; canned: readonly CannedAnswer[]; onPick: (words: string) => void }) {
  const [value, setValue] = useState("");
  const chosen = canned.find((each) => each.id === value);
  const insert = () => {
    if (chosen) onPick(chosen.body);
    setValue("");
  };
  if (canned.length === 0) return null;
  return (
    <span className="inline-flex max-w-full gap-2">
      <select
        id={id}
        aria-label="Ready answer"
        value={chosen ? value : ""}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        className="min-h-11 min-w-0 rounded-control border border-control bg-surface px-2 text-table text-ink hover:border-ink md:min-h-8"
      >
        <option value="">Choose a ready answer</option>
        {canned.map(({ id: each, title }) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
      <Button variant="secondary" size="small" disabled={!chosen} onClick={insert}>
        Insert
      </Button>
    </span>
  );
}
