import { HOUR } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { endDocuments } from "./commands";

/** What is to be seen to as days pass, by the program that leads: documents that end. Once an hour, and when the lead begins. */
export class Reminders {
  private timer: Timer | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly app: AppContext) {}

  lead(): void {
    clearInterval(this.timer);
    const look = () => void (this.turn = this.turn.then(() => this.look()));
    this.timer = setInterval(look, HOUR);
    look();
  }

  /** What is under way is finished first. */
  rest(): Promise<void> {
    clearInterval(this.timer);
    return this.turn;
  }

  private async look(): Promise<void> {
    const { sql, log } = this.app;
    try {
      const told = await endDocuments(sql);
      if (told > 0) log.info("people were told of documents that end", { letters: told });
    } catch (error) {
      log.warn("documents that end could not be looked at, will try again", { error });
    }
  }
}
