/** Hours of the four great trading places in UTC; those that pass midnight come in two pieces. */
const SESSIONS: { place: string; hours: [number, number][] }[] = [
  {
    place: "Sydney",
    hours: [
      [0, 6],
      [21, 24],
    ],
  },
  { place: "Tokyo", hours: [[0, 9]] },
  { place: "London", hours: [[7, 16]] },
  { place: "New York", hours: [[12, 21]] },
];
const HOUR = 24;

/** Who is awake when: forex passes from one place to the next, five days a week. */
export function Sessions() {
  return (
    <figure>
      <div className="grid grid-cols-[minmax(0,5.5rem)_minmax(0,1fr)] items-center gap-x-4 gap-y-3 text-table">
        {SESSIONS.map(({ place, hours }) => (
          <div key={place} className="contents">
            <span className="text-soft">{place}</span>
            <svg
              viewBox={`0 0 ${24 * HOUR} 20`}
              preserveAspectRatio="none"
              className="h-5 w-full"
              role="img"
              aria-label={`${place}: ${hours.map(([from, to]) => `${from}:00 to ${to}:00`).join(" and ")} UTC`}
            >
              <path d={`M0 10H${24 * HOUR}`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
              {hours.map(([from, to]) => (
                <rect
                  key={from}
                  x={from * HOUR}
                  y="3"
                  width={(to - from) * HOUR}
                  height="14"
                  className={place === "London" || place === "New York" ? "fill-accent" : "fill-accent/45"}
                />
              ))}
            </svg>
          </div>
        ))}
        <span />
        <span className="flex justify-between text-note text-soft" aria-hidden="true">
          <span>0</span>
          <span className="max-sm:hidden">6</span>
          <span>12</span>
          <span className="max-sm:hidden">18</span>
          <span>24 UTC</span>
        </span>
      </div>
      <figcaption className="mt-4 text-table text-soft">
        Most moves, and the tightest spreads, come while London and New York are both at their desks.
      </figcaption>
    </figure>
  );
}
