import { type ReactNode, type SyntheticEvent, useState } from "react";

/** A form's fields, with what they would change said below them as it is written. `changesOf` tells it of the fields by name, a line each. */
export function ChangedFields({ changesOf, children }: { changesOf: (written: Record<string, string>) => string[]; children: ReactNode }) {
  const [changes, setChanges] = useState<string[]>([]);
  const onWritten = (event: SyntheticEvent<HTMLElement>) => {
    const form = event.currentTarget.closest("form");
    if (form) setChanges(changesOf(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))));
  };
  return (
    <div className="flex flex-col gap-4" onInput={onWritten} onChange={onWritten}>
      {children}
      <div role="status" className="text-table">
        {changes.length === 0 ? (
          <p className="text-soft">Nothing is changed yet.</p>
        ) : (
          <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
