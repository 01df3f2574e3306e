import { useState } from "react";
import { seeDocument, type StaffDocument } from "../../src/compliance/schema";
import { sizeText } from "../../views/compliance/words";
import { Button } from "../../views/ui/Button";
import { Notice } from "../../views/ui/States";
import { addressOf } from "../wire/api";

const ZOOMS = [1, 1.5, 2, 3, 4];

/** The file itself, shown when it is asked for, since each look is noted and told to its owner: larger, smaller, turned. A PDF is downloaded. */
export function DocumentView({ document: { id, mediaType, size, views }, open, onOpen }: { document: StaffDocument; open: boolean; onOpen: () => void }) {
  const [zoom, setZoom] = useState(0);
  const [turn, setTurn] = useState(0);
  const [failed, setFailed] = useState(false);
  const address = addressOf(seeDocument.path, { id }, {});
  const note = `${sizeText(size)}. ${views === 0 ? "Nobody of the staff has seen it yet" : views === 1 ? "Seen once" : `Seen ${views} times`}; its owner reads when it is looked at.`;
  if (mediaType === "application/pdf")
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-table text-soft">{note}</p>
        <a href={address} download="" className="inline-flex min-h-11 items-center text-accent underline underline-offset-4">
          Download the PDF
        </a>
      </div>
    );
  if (!open)
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-table text-soft">{note}</p>
        <Button variant="secondary" size="small" onClick={onOpen}>
          Show the document
        </Button>
      </div>
    );
  if (failed) return <Notice kind="error">The document could not be shown. Its key may be missing; the log says why.</Notice>;
  const scale = ZOOMS[zoom] ?? 1;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="small" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          −
        </Button>
        <span className="min-w-12 text-center text-table tabular-nums" aria-live="polite">{`${scale * 100}%`}</span>
        <Button variant="secondary" size="small" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          +
        </Button>
        <Button variant="secondary" size="small" onClick={() => setTurn((turn + 90) % 360)}>
          Turn
        </Button>
      </div>
      <div role="group" aria-label="The document" className="max-h-[60dvh] min-h-64 overflow-auto rounded-control border border-line bg-sunken">
        <img
          src={address}
          alt="The document that was sent"
          onError={() => setFailed(true)}
          style={{ width: `${scale * 100}%`, maxWidth: "none", transform: `rotate(${turn}deg)` }}
        />
      </div>
    </div>
  );
}
