import { HOUR, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { endDocuments } from "./commands";
import { endRecords, makeExports } from "./commands_privacy";
import type { Vault } from "./vault";

/** How often is looked whether somebody asked for a file of the own data, in ms. */
const POLL_MS = 3 * SECOND;

/** What is to be seen to in the background, by the program that leads: data that people asked for, documents that end, and what is kept of closed accounts. */
export class Reminders {
  private timers: Timer[] = [];
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: AppContext,
    private readonly vault: Vault,
  ) {}

  lead(): void {
    this.timers.forEach(clearInterval);
    this.timers = [setInterval(() => void this.wake(), POLL_MS), setInterval(() => this.queue(() => this.remind()), HOUR)];
    this.queue(() => this.remind());
  }

  /** What is under way is finished first. */
  rest(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.timers = [];
    return this.turn;
  }

  /** Puts together what was asked for. Resolves when nothing waits that was committed before the call. */
  wake(): Promise<void> {
    return this.queue(async () => void (await makeExports(this.app, this.vault)));
  }

  private queue(task: () => Promise<void>): Promise<void> {
    return (this.turn = this.turn
      .then(task)
      .catch((error: unknown) => this.app.log.warn("what is seen to in the background failed, will try again", { error })));
  }

  private async remind(): Promise<void> {
    const { sql, log } = this.app;
    await sql`select exports_forget()`;
    const told = await endDocuments(sql);
    if (told > 0) log.info("people were told of documents that end", { letters: told });
    const ended = await endRecords(sql);
    if (ended > 0) log.info("what was kept of closed accounts was deleted, since its time is over", { people: ended });
  }
}
