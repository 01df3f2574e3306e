import { Refusal } from "../../lib/refusal";

type Person = { running: number; allowance: number; at: number };
type PaceOptions = {
  /** What may not be done twice, of one person: at once, and a second over time. */
  atOnce?: number;
  perSecond?: number;
  clock?: () => number;
};

/** So many seconds' allowance may be saved up: a person in a hurry is no flood. */
const SAVED = 10;
/** Above so many people those are forgotten who have their whole allowance again. */
const MOST = 10_000;

/**
 * How many commands of one person are worked on. Each holds a connection while it waits for the person's account, so many at once would delay
 * everybody else; and many over hours could add up the cents that rounding gives.
 */
export class Pace {
  private readonly people = new Map<string, Person>();
  private readonly atOnce: number;
  private readonly perSecond: number;
  private readonly clock: () => number;

  constructor({ atOnce = 2, perSecond = 20, clock = () => performance.now() }: PaceOptions = {}) {
    this.atOnce = atOnce;
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Runs a command of this person. Refuses (too_many_requests), and does nothing, where others of theirs are under way or came too quickly. */
  async keep<T>(personId: string, command: () => Promise<T> | T): Promise<T> {
    const person = this.of(personId);
    if (person.running >= this.atOnce) throw tooMany("What you sent before is still being worked on. Please try again in a moment.", 1);
    if (person.allowance < 1) throw tooMany("That was too much in a short time. Please try again in a moment.", Math.ceil(1 / this.perSecond));
    person.allowance--;
    person.running++;
    try {
      return await command();
    } finally {
      person.running--;
    }
  }

  /** The person with the allowance that has come back by now. */
  private of(id: string): Person {
    const now = this.clock();
    const full = this.perSecond * SAVED;
    const person = this.people.get(id) ?? { running: 0, allowance: full, at: now };
    person.allowance = Math.min(full, person.allowance + ((now - person.at) / 1000) * this.perSecond);
    person.at = now;
    if (this.people.size >= MOST && !this.people.has(id)) this.forget(now);
    this.people.set(id, person);
    return person;
  }

  private forget(now: number): void {
    for (const [id, { running, at }] of this.people) if (running === 0 && now - at >= SAVED * 1000) this.people.delete(id);
  }
}

const tooMany = (message: string, retryAfter: number) => new Refusal("too_many_requests", message, undefined, retryAfter);
