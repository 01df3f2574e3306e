import { HOUR, inTime, MINUTE, SECOND } from "../lib/time";
import type { Sql } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";
import { keyOfLog } from "../proof/queries";
import { forgetLetters, keepUnsent, makeLinks, noteHanded, postStatements, settleLetter, takeLetter, type TakenLetter } from "./commands";
import { baseOf, lineTo, message, NOT_SENT, senderOf, write } from "./compose";
import { wordsOf } from "./queries";
import { isKind, linksOf, pauseAfter } from "./rules";
import type { SmtpLine } from "./smtp";

/** The queue is looked at this often, in ms: whoever left a letter tells nobody. */
const POLL_MS = SECOND;
/** Connections to the mail server. */
const LINES = 4;
/** A letter that is being sent is nobody else's for this long: longer than any sending, and than a program takes that is killed again and again. */
const LEASE_MS = 5 * MINUTE;
/** So often may a program die with a letter half given: then it may have come twice already. */
const MOST_HANDED = 2;
const DIED_TWICE = "not sent again: the program ended twice while the mail server was being given it, so it may have come, and may have come twice";
/** What is being sent when the program rests may finish in this time. */
const LAST_MS = 2 * SECOND;

/** Sends the letters that commands left, where this program leads. */
export class Mailer {
  private turn: Promise<void> | null = null;
  private again = false;
  private resting = true;
  private timers: Timer[] = [];
  private lines: SmtpLine[] = [];
  /** How often in a row the server could not be reached, and until when it is left alone, by performance.now(). */
  private failures = 0;
  private pausedUntil = 0;
  /** Letters that this program sent, and tries that went wrong. */
  readonly counts = { sent: 0, faults: 0 };

  constructor(
    private readonly app: AppContext,
    /** What writes letters that were only asked for; done before each look at the queue. */
    private readonly takeAsks: (sql: Sql) => PromiseLike<unknown> = async () => {},
  ) {}

  lead(): void {
    this.resting = false;
    this.failures = 0;
    this.pausedUntil = 0;
    const house = () => void this.keepHouse();
    this.timers = [setInterval(() => void this.wake(), POLL_MS), setInterval(house, HOUR)];
    house();
    void this.wake();
  }

  /** Lets the mailer rest: what is being sent is finished, or tried again later. */
  async rest(): Promise<void> {
    this.resting = true;
    this.timers.forEach(clearInterval);
    this.timers = [];
    if (this.turn) await inTime(this.turn, LAST_MS);
    for (const line of this.lines) line.close();
    this.lines = [];
    await this.turn;
  }

  /** Sends what is due. Resolves when nothing is that was committed before the call, or the server is left alone for a while. */
  wake(): Promise<void> {
    this.again = true;
    return (this.turn ??= this.run().finally(() => (this.turn = null)));
  }

  private async run(): Promise<void> {
    try {
      while (this.again && !this.resting) {
        this.again = false;
        await this.takeAsks(this.app.sql);
        if (!this.app.config.smtp) await keepUnsent(this.app.sql, NOT_SENT);
        else await this.sendAll();
      }
    } catch (error) {
      this.app.log.warn("letters could not be taken, will try again", { error });
    }
  }

  private async sendAll(): Promise<void> {
    while (this.lines.length < LINES) this.lines.push(lineTo(this.app.config) as SmtpLine);
    // The first goes alone: where the server does not answer, one letter has found out, and where nothing waits nothing more is asked.
    if (!(await this.sendNext(this.lines[0] as SmtpLine))) return;
    await Promise.all(
      this.lines.map(async (line) => {
        while (await this.sendNext(line));
      }),
    );
    for (const line of this.lines) line.end();
  }

  /** Sends the letter that is due; false where none is, or none should be tried just now. */
  private async sendNext(line: SmtpLine): Promise<boolean> {
    if (this.resting || performance.now() < this.pausedUntil) return false;
    const letter = await takeLetter(this.app.sql, LEASE_MS);
    if (!letter) return false;
    await this.send(line, letter);
    return true;
  }

  private async send(line: SmtpLine, letter: TakenLetter): Promise<void> {
    const { config, brand, sql, log } = this.app;
    const { id, kind, address } = letter;
    if (!isKind(kind)) return settleLetter(sql, letter, { to: "failed", answer: "a kind of letter that this program does not know" });
    if (letter.handed >= MOST_HANDED) return settleLetter(sql, letter, { to: "failed", answer: DIED_TWICE });
    const links = await makeLinks(sql, letter, linksOf(kind), baseOf(config));
    if (Object.keys(links).length < linksOf(kind).length) return; // It was taken back a moment ago.
    const from = senderOf(this.app);
    const words = await wordsOf(sql, { ...letter, kind });
    const written = write(config, brand, { ...letter, kind }, links, await keyOfLog(sql), words);
    const whole = await message(from, letter, written, links.unsubscribe);
    const { reached, ...outcome } = await line.send({ from: from.address, to: address }, whole, () => noteHanded(sql, id));
    await settleLetter(sql, letter, outcome);
    if (outcome.to === "sent") this.counts.sent++;
    else {
      this.counts.faults++;
      log.warn("a letter was not taken", { letter: id, kind, attempts: letter.attempts, final: outcome.to === "failed", answer: outcome.answer });
    }
    this.failures = reached ? 0 : this.failures + 1;
    this.pausedUntil = reached ? 0 : performance.now() + pauseAfter(this.failures);
  }

  private async keepHouse(): Promise<void> {
    const { sql, log } = this.app;
    try {
      await forgetLetters(sql);
      const left = await postStatements(sql);
      if (left > 0) log.info("monthly statements were announced", { letters: left });
    } catch (error) {
      log.warn("old letters could not be thrown out, will try again", { error });
    }
  }
}
