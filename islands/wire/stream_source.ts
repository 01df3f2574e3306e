/**
 * One connection to a stream of server-sent events, which reconnects by itself. While the server is away it waits longer each time. It
 * reconnects at once when the page wakes from a sleep, since such a connection looks open and is dead, and where nothing was heard for longer
 * than the server is ever silent.
 */
export type StreamState = "connecting" | "open" | "lost";
/** One event as it travels: between server and browser, and between the tabs of a browser. */
export type Told = { event: string; data: unknown; id: string };
/** `signed-out`: the session is over. `other`: the browser is signed in as somebody else than this page was made for. */
export type Over = "signed-out" | "other";

type Ears = { told(news: Told): void; state(state: StreamState): void; over(why: Over): void };

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** The server says something at least every six seconds. */
export const SILENCE_MS = 12_000;
const CHECK_MS = 1000;
/** A timer of one second that comes this late was asleep. */
const SLEPT_MS = 5000;
/** Events of every stream: the sign of life, and what the page's frame needs. */
const ALWAYS = ["beat", "quotes", "snapshot", "other-session", "ticket", "chat"];

/** Calls back whenever the page may have missed something: after a sleep, when it is seen or online again. Returns the way to stop. */
export function onWaking(wake: (slept: boolean) => void): () => void {
  let looked = Date.now();
  const tick = () => {
    const slept = Date.now() - looked > SLEPT_MS;
    looked = Date.now();
    wake(slept);
  };
  const timer = setInterval(tick, CHECK_MS);
  const seen = () => document.visibilityState !== "hidden" && tick();
  const awake = () => wake(true);
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("resume", awake);
  window.addEventListener("online", awake);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
    document.removeEventListener("resume", awake);
    window.removeEventListener("online", awake);
  };
}

export class Source {
  private source: EventSource | null = null;
  private readonly names = new Set(ALWAYS);
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private heardAt = 0;
  /** Told to wait, it does, whatever wakes the page. */
  private restsUntil = 0;
  private readonly stopWaking: () => void;

  /** `address` is asked at each try. */
  constructor(
    private readonly address: () => string,
    private readonly ears: Ears,
  ) {
    this.open();
    this.stopWaking = onWaking((slept) => {
      if (Date.now() >= this.restsUntil && (slept || Date.now() - this.heardAt > SILENCE_MS)) this.open();
    });
  }

  want(names: Iterable<string>) {
    for (const name of names) {
      if (this.names.has(name)) continue;
      this.names.add(name);
      this.source?.addEventListener(name, this.receive);
    }
  }

  /** Gives the connection up for a new one. */
  open() {
    clearTimeout(this.retry);
    this.source?.close();
    this.ears.state("connecting");
    this.heardAt = Date.now();
    const source = new EventSource(this.address());
    this.source = source;
    source.onopen = () => {
      this.failures = 0;
      this.heardAt = Date.now();
      this.ears.state("open");
    };
    source.onerror = () => {
      this.ears.state("lost");
      // While the browser itself tries again it says CONNECTING; CLOSED means that it gave up (an error status).
      if (source.readyState === EventSource.CLOSED) void this.askWhy(source);
    };
    for (const name of this.names) source.addEventListener(name, this.receive);
  }

  close() {
    this.stopWaking();
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  /** An event source does not tell the status; asked for its head alone, the server does, and for how long to stay away where there are too many. */
  private async askWhy(source: EventSource) {
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures++) * (0.5 + Math.random() / 2);
    const answer = await fetch(this.address(), { method: "HEAD", credentials: "same-origin" }).catch(() => null);
    if (source !== this.source) return;
    if (answer?.status === 401) return this.ears.over("signed-out");
    const told = answer?.status === 429 ? Number(answer.headers.get("Retry-After") ?? 0) * 1000 * (1 + Math.random() / 2) : 0;
    this.restsUntil = Date.now() + told;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), Math.max(wait, told));
  }

  private readonly receive = ({ type, data, lastEventId }: MessageEvent<string>) => {
    this.heardAt = Date.now();
    if (type === "other-session") return this.ears.over("other");
    this.ears.told({ event: type, data: JSON.parse(data), id: lastEventId ?? "" });
  };
}
