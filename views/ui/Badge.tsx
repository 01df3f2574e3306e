import type { ReactNode } from "react";
import { classes } from "./classes";

const TONES = {
  default: "bg-accent-soft text-accent",
  secondary: "bg-sunken text-soft",
  destructive: "bg-loss-soft text-loss",
  gain: "bg-gain-soft text-gain",
  warning: "bg-warn-soft text-warn",
} as const;
export type Tone = keyof typeof TONES;

const OF_STATUS: Record<string, Tone> = {
  active: "default",
  approved: "default",
  open: "default",
  suspended: "destructive",
  banned: "destructive",
  rejected: "destructive",
  pending: "secondary",
  closed: "secondary",
};
/** The tone a status is shown in. */
export const statusTone = (status: string): Tone => OF_STATUS[status] ?? "secondary";

export function Badge({ tone = "default", children, className }: { tone?: Tone; children: ReactNode; className?: string }) {
  return (
    <span className={classes("inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2.5 py-0.5 text-note font-medium", TONES[tone], className)}>
      {children}
    </span>
  );
}
