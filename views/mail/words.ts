import type { LetterRow, LetterState } from "../../src/mail/schema";

/** What staff read in lists of letters. */
export const STATES: Record<LetterState, { label: string; tone: "gain" | "destructive" | "warning" | "secondary" }> = {
  waiting: { label: "Waiting", tone: "warning" },
  sent: { label: "Sent", tone: "gain" },
  failed: { label: "Failed", tone: "destructive" },
  kept: { label: "Not sent", tone: "secondary" },
  recalled: { label: "Taken back", tone: "secondary" },
};

/** "deposit_decided" as a heading. */
export const kindText = (kind: string): string => (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll("_", " ");

/** When it was sent, or is tried next. */
export const whenText = ({ status, endedAt, dueAt, attempts }: LetterRow): string => {
  const at = status === "waiting" ? dueAt : (endedAt ?? dueAt);
  const time = at.slice(0, 19).replace("T", " ");
  return status === "waiting" ? `next try ${time}, ${attempts} so far` : time;
};
