const HEIGHT = 64;
const STEP = 10;
const BAR = 7;
/** A day with anything at all shows. */
const LEAST = 1.5;

/** One bar for each value, below the line where it is negative. A picture beside figures that say the same. */
export function BarChart({ values }: { values: readonly number[] }) {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const span = top - bottom || 1;
  const zero = top === bottom ? HEIGHT : (top / span) * HEIGHT;
  return (
    <svg viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className="mt-2 block h-16 w-full">
      <path d={`M0 ${zero}H${values.length * STEP}`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      {values.map((value, index) => {
        if (value === 0) return null;
        const height = Math.max(LEAST, (Math.abs(value) / span) * HEIGHT);
        const x = index * STEP + (STEP - BAR) / 2;
        return <rect key={x} x={x} y={value > 0 ? zero - height : zero} width={BAR} height={height} className={value > 0 ? "fill-accent" : "fill-loss"} />;
      })}
    </svg>
  );
}
