import { SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import type { Push } from "./push";
import { type PersonNews, takePersonNews } from "./queries_people";

/** Reads the outbox this often, in ms, also untold: another program may have left news, or died between its commit and telling. */
const POLL_MS = SECOND;

/**
 * Tells people what commands left for them (`tell_person` in SQL): on their open pages as a notice, and on the devices that want it.
 * Each is taken by one program, so it is told once, whichever run; one that is killed in that moment takes it along.
 */
export class Teller {
  private turn: Promise<void> | null = null;
  private again = false;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly app: AppContext,
    private readonly push: Push,
  ) {}

  start(): void {
    const wake = () => void this.wake();
    const timer = setInterval(wake, POLL_MS);
    this.stops.push(() => clearInterval(timer), this.app.bus.subscribe("personNews", wake));
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.turn;
  }

  /** Takes what there is. Resolves when everything committed before the call has been told to pages, and is on its way to devices. */
  wake(): Promise<void> {
    this.again = true;
    return (this.turn ??= this.run().finally(() => (this.turn = null)));
  }

  private async run(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        for (let news = await takePersonNews(this.app.sql); news.length > 0; news = await takePersonNews(this.app.sql)) this.tell(news);
      }
    } catch (error) {
      this.app.log.warn("news for people could not be taken, will try again", { error });
    }
  }

  private tell(news: readonly PersonNews[]): void {
    for (const { userId, title, message, kind, topic } of news)
      this.app.bus.publish("notice", { userId, title, message, kind, ...(topic === null ? {} : { topic }) });
    this.push.tellPeople(news);
  }
}
