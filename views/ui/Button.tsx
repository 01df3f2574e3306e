import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from "react";
import { classes } from "./classes";

const VARIANTS = {
  primary: "bg-accent text-on-accent hover:bg-accent/88 active:bg-accent/80",
  secondary: "border border-control bg-transparent text-ink hover:bg-sunken",
  quiet: "bg-transparent text-accent hover:bg-accent-soft",
  buy: "bg-gain text-paper hover:bg-gain/88 active:bg-gain/80",
  sell: "bg-loss text-paper hover:bg-loss/88 active:bg-loss/80",
  danger: "border border-loss text-loss hover:bg-loss-soft",
} as const;
const SIZES = {
  /** For dense rows at a desk; a full target under a thumb. */
  small: "min-h-11 md:min-h-8 px-3 text-table",
  normal: "min-h-11 px-4 text-[0.9375rem]",
  large: "min-h-12 px-6 text-base",
} as const;

type Own = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES; wide?: boolean; className?: string; children: ReactNode };

export function Button({ variant = "primary", size = "normal", wide, className, type = "button", ...rest }: Own & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={classes("btn", VARIANTS[variant], SIZES[size], wide && "w-full", className)} {...rest} />;
}

/** A link that looks like a button because it is the page's next step. */
export function ButtonLink({ variant = "primary", size = "normal", wide, className, ...rest }: Own & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={classes("btn", VARIANTS[variant], SIZES[size], wide && "w-full", className)} {...rest} />;
}
