/** How a whole divides, as a ring with its legend. Values of one unit, four parts at most. */
export function Ring({ label, parts }: { label: string; parts: { name: string; value: number }[] }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0) || 1;
  const arcs = parts.map(({ name, value }, index) => ({
    name,
    value,
    share: (value / whole) * 100,
    from: (parts.slice(0, index).reduce((sum, part) => sum + part.value, 0) / whole) * 100,
    tone: TONES[index % TONES.length],
  }));
  return (
    <figure className="flex flex-wrap items-center gap-6">
      <svg
        viewBox="0 0 42 42"
        className="size-28 shrink-0 -rotate-90"
        role="img"
        aria-label={`${label}: ${parts.map(({ name, value }) => `${name} ${value}`).join(", ")}`}
      >
        {arcs.map(({ name, share, from, tone }) => (
          <circle
            key={name}
            cx="21"
            cy="21"
            r="18"
            fill="none"
            strokeWidth="4"
            pathLength="100"
            strokeDasharray={`${Math.max(0, share - GAP).toFixed(2)} 100`}
            strokeDashoffset={(-from).toFixed(2)}
            className={tone?.stroke}
          />
        ))}
      </svg>
      <figcaption>
        <p className="text-table font-semibold">{label}</p>
        <ul className="mt-1 text-table text-soft">
          {arcs.map(({ name, value, tone }) => (
            <li key={name} className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-2 rounded-full ${tone?.ground}`} />
              {name} <span className="ml-auto pl-4 tabular-nums">{value}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

/** A hair of ground between two arcs, in percent. */
const GAP = 1.2;
const TONES = [
  { stroke: "stroke-accent", ground: "bg-accent" },
  { stroke: "stroke-accent/60", ground: "bg-accent/60" },
  { stroke: "stroke-control", ground: "bg-control" },
  { stroke: "stroke-control/50", ground: "bg-control/50" },
];
