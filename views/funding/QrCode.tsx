import { qrMatrix } from "../../src/lib/qr";

/** Light modules round the code, without which readers don't find it. */
const QUIET = 4;

/** A QR code as one path. Dark on light by day and by night: many readers can't read the opposite. */
export function QrCode({ text, label, className = "size-44" }: { text: string; label: string; className?: string }) {
  const rows = qrMatrix(text);
  const size = rows.length + 2 * QUIET;
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" className={`qr rounded-control ${className}`}>
      <path d={rows.map((row, y) => runsOf(row, y)).join("")} fill="currentColor" />
    </svg>
  );
}

function runsOf(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x] || row[x - 1]) continue;
    const end = row.indexOf(false, x);
    const length = (end < 0 ? row.length : end) - x;
    path += `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`;
  }
  return path;
}
