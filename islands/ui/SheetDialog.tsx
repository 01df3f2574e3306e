import { type ChangeEvent, type MouseEvent, useState } from "react";
import type { InferInput } from "valibot";
import { sheetBody, type SheetPreview } from "../../src/lib/sheet";
import { Field, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { Notice } from "../../views/ui/States";
import { ActionDialog } from "./ActionDialog";
import { ApiError } from "../wire/api";
import { toast } from "../wire/toasts";

type Props = {
  /** What the list is of: group, groups. */
  one: string;
  many: string;
  preview: (body: { csv: string }) => Promise<SheetPreview>;
  take: (body: InferInput<typeof sheetBody>) => Promise<SheetPreview>;
  onClose: () => void;
};

/** Takes a list from a file: what it would change is told first, by row, or what is wrong with it, by row and column. */
export default function SheetDialog({ one, many, preview: look, take, onClose }: Props) {
  const [csv, setCsv] = useState("");
  const [preview, setPreview] = useState<SheetPreview | string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Emptied, so that the same file, mended meanwhile, can be chosen again: a browser tells of no change where it has the same name. */
  const begin = ({ currentTarget: input }: MouseEvent<HTMLInputElement>) => {
    input.value = "";
    setCsv("");
    setPreview(null);
  };
  const choose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    setPreview(null);
    setBusy(true);
    try {
      const text = await file.text();
      setCsv(text);
      setPreview(await look({ csv: text }));
    } catch (error) {
      if (error instanceof ApiError) setPreview(Object.values(error.fields)[0] ?? error.message);
      // It was changed or taken away since it was chosen.
      else if (error instanceof DOMException) setPreview("The file can't be read. Choose it again.");
      else throw error;
    } finally {
      setBusy(false);
    }
  };
  const found = typeof preview === "object" ? preview : null;
  return (
    <ActionDialog
      id="sheet"
      title={`${many.charAt(0).toUpperCase()}${many.slice(1)} from a file`}
      consequence="Take the list as CSV, change its rows, and bring it back. Nothing is changed before you have seen what, and then all of it at once."
      schema={sheetBody}
      names={["csv", "effectiveAt", "reason"]}
      mends
      ready={found !== null && found.faults.length === 0 && found.changes.length > 0}
      fields={(messages) => (
        <>
          <input type="hidden" name="csv" value={csv} />
          <Field
            id="sheet-file"
            type="file"
            accept=".csv,text/csv"
            className="py-2"
            label="File (CSV)"
            hint={busy ? "It is being read..." : undefined}
            disabled={busy}
            error={messages.csv}
            onClick={begin}
            onChange={(event) => void choose(event)}
          />
          <div role="status" className="flex flex-col gap-2 text-table [overflow-wrap:anywhere]">
            {typeof preview === "string" ? <Notice kind="error">{preview}</Notice> : null}
            {found ? <Found {...found} one={one} /> : null}
          </div>
          <Field id="sheet-effectiveAt" name="effectiveAt" type="datetime-local" label="From (UTC)" hint="Empty: at once." error={messages.effectiveAt} />
          <TextField id="sheet-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="Change all"
      busy="Changing..."
      send={async (body) => {
        const { changes } = await take(body);
        toast({ title: changes.length === 1 ? `One ${one} was changed` : `${changes.length} ${many} were changed` });
      }}
      onClose={onClose}
    />
  );
}

function Found({ changes, faults, one }: SheetPreview & { one: string }) {
  if (faults.length > 0)
    return (
      <Notice kind="error" title="Nothing can be taken from this file yet">
        <ul className="list-disc pl-5">
          {faults.map(({ row, column, message }) => (
            <li key={`${row} ${column} ${message}`}>{`Row ${row}, ${column}: ${message}`}</li>
          ))}
        </ul>
      </Notice>
    );
  if (changes.length === 0) return <p className="text-soft">This file changes nothing.</p>;
  return (
    <ul className="flex flex-col gap-2">
      {changes.map(({ row, name, isNew, effectiveAt, appliesAt, lines }) => (
        <li key={row}>
          <p className="font-medium">
            {isNew ? `${name}, a new ${one}` : name}
            {effectiveAt ? `, from ${instantText(effectiveAt)} UTC` : ""}
            {appliesAt ? `, for what is open from ${instantText(appliesAt)} UTC` : ""}
          </p>
          <ul className="list-disc pl-5">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
