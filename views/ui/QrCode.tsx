import { correction, generate } from "lean-qr/nano";

/** Light modules round the code, without which readers don't find it. */
const QUIET = 4;

/** A QR code as one path. Dark on light by day and by night: many readers can't read the opposite. */
export function QrCode({ text, label, className = "size-44" }: { text: string; label: string; className?: string }) {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const size = code.size + 2 * QUIET;
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" className={`qr rounded-control ${className}`}>
      <path d={runsOf(code)} fill="currentColor" />
    </svg>
  );
}

/** Each row's dark modules, neighbours as one rectangle. Outside of its size a code is light. */
function runsOf(code: ReturnType<typeof generate>): string {
  let path = "";
  for (let y = 0; y < code.size; y++)
    for (let x = 0, end = 0; x < code.size; x = end + 1) {
      for (end = x; code.get(end, y);) end++;
      if (end > x) path += `M${x + QUIET} ${y + QUIET}h${end - x}v1h${x - end}z`;
    }
  return path;
}
