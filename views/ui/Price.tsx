import { splitPrice } from "../../src/lib/quote_text";
import { classes } from "./classes";

/**
 * A price as traders read it: the pip digits stand out and the last, fractional one is raised (1.08**42**¹). `digits` are the instrument's;
 * `decimals`, where larger, are written instead. A screen reader hears the whole number.
 */
type PriceProps = { value: string; digits?: number; decimals?: number | undefined; className?: string };
export function Price({ value, digits = 5, decimals, className }: PriceProps) {
  const { head, pips, fraction } = splitPrice(value, digits, decimals);
  return (
    <span className={classes("price-text", className)}>
      {head}
      {pips ? <span className="font-semibold">{pips}</span> : null}
      {fraction ? <sup className="price-point">{fraction}</sup> : null}
    </span>
  );
}

/** A change with its sign and its mark, so that colour is never the only sign. `value` is a decimal string with or without a sign. */
export function Delta({ value, suffix = "", className }: { value: string; suffix?: string; className?: string }) {
  const negative = value.startsWith("-") || value.startsWith("−");
  const size = value.replace(/^[-−+]/, "");
  const zero = !/[1-9]/.test(size);
  const tone = zero ? "text-soft" : negative ? "text-loss" : "text-gain";
  return (
    <span className={classes("price-text", tone, className)}>
      {zero ? null : (
        <span aria-hidden="true" className="delta-mark">
          {negative ? "▼" : "▲"}
        </span>
      )}
      {`${zero ? "" : negative ? "−" : "+"}${size}${suffix}`}
    </span>
  );
}

/** Stands beside every simulated price. */
export function SimulatedLabel({ className }: { className?: string }) {
  return (
    <span className={classes("inline-flex items-center gap-1.5 text-note text-warn", className)}>
      <span aria-hidden="true" className="size-1.5 rounded-full bg-warn" />
      Simulated prices
    </span>
  );
}
