/** What was checked: it holds, it fails, or it was not checked. */
export type Step = { state: "holds" | "fails" | "open"; what: string };

/** Gathers what a check found, in words. */
export class Report {
  private readonly steps: Step[] = [];

  /** `what` holds, or fails for a reason that begins in small letters. */
  say(holds: boolean, what: string, otherwise: string): void {
    this.steps.push({ state: holds ? "holds" : "fails", what: holds ? `${what}.` : `${what}: ${otherwise}.` });
  }

  /** Notes what was not checked, and why. */
  skip(what: string): void {
    this.steps.push({ state: "open", what: `${what}.` });
  }

  end(): { holds: boolean; reason: string | null; steps: Step[] } {
    const failed = this.steps.find(({ state }) => state === "fails");
    const reason = failed?.what ?? (this.steps.some(({ state }) => state === "holds") ? null : "There is nothing in it that could be checked.");
    return { holds: reason === null, reason, steps: this.steps };
  }
}
