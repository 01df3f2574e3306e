import { useEffect, useState } from "react";
import { type InstrumentVersion, listInstrumentVersions, type StaffInstrument } from "../../src/trading/schema_instruments";
import { termsText } from "../../views/trading/instrument_words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { ErrorState, Skeleton } from "../../views/ui/States";
import { instantText } from "../../views/ui/instant";
import { call } from "../wire/api";

/** How an instrument was dealt, the newest first. */
export default function InstrumentVersions({ row, onClose }: { row: StaffInstrument; onClose: () => void }) {
  const [versions, setVersions] = useState<InstrumentVersion[] | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    call(listInstrumentVersions, undefined, { params: { symbol: row.symbol } }).then(setVersions, () => setVersions("failed"));
  }, [row.symbol, tries]);
  const again = () => {
    setVersions(null);
    setTries(tries + 1);
  };
  return (
    <Dialog id="instrument-versions" title={`Versions of ${row.symbol}`} open onClose={onClose} wide>
      {versions === null ? <Skeleton className="h-40" /> : null}
      {versions === "failed" ? <ErrorState title="The versions did not come" retry={<Button onClick={again}>Try again</Button>} /> : null}
      {Array.isArray(versions) ? (
        <ol className="flex flex-col">
          {versions.map((version) => (
            <li key={version.version} className="border-b border-line py-2 last:border-b-0">
              <p className="font-medium">{`${version.version}. ${termsText(version)}`}</p>
              <p className="text-table text-soft [overflow-wrap:anywhere]">
                {version.isReplaced ? "Replaced before it took effect" : `From ${instantText(version.effectiveAt)} UTC`}
                {`, by ${version.administrator}: ${version.reason}`}
              </p>
            </li>
          ))}
        </ol>
      ) : null}
    </Dialog>
  );
}
