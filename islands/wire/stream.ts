import { signInAgain } from "./api";
import { onWaking, type Over, SILENCE_MS, Source, type StreamState, type Told } from "./stream_source";

/**
 * Server-sent events, as every island listens to them: one connection for each address and each browser, however many tabs and
 * listeners. The tab that holds the lock keeps the connection and tells the others; when it closes, freezes or falls silent
 * another takes over. Lock and channel carry the person whom the page was made for, so that people never hear each other. Where
 * a browser has neither, each tab has a connection of its own.
 */
export type { StreamState } from "./stream_source";
type Listener = (data: never) => void;
type Watcher = (state: StreamState) => void;
type Price = { symbol: string };

/** What the tabs say to each other; without `to`, to all. */
type Word = { to?: string } & ({ ask: string; names: string[] } | { told: Told } | { state: StreamState } | { over: Over } | { led: true });

const TAB = crypto.randomUUID();
/** So long may the leading tab take to answer: while all of them load, and when this one has just woken up. */
const ANSWER_MS = 4000;
const ANSWER_WAKING_MS = 700;

class Stream {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly watchers = new Set<Watcher>();
  private readonly prices = new Map<string, Price>();
  /** Prices that came while nobody looked. */
  private readonly unseen = new Map<string, Price>();
  private state: StreamState = "connecting";
  private since = "";
  private source: Source | null = null;
  private channel: BroadcastChannel | null = null;
  private turn: AbortController | null = null;
  private heardAt = Date.now();
  private takeOver: ReturnType<typeof setTimeout> | undefined;
  private readonly stopWaking: () => void;
  private readonly name: string;

  constructor(
    private readonly url: string,
    private readonly person: string,
  ) {
    this.name = `stream ${url} ${person}`;
    this.stopWaking = onWaking(this.check);
    document.addEventListener("visibilitychange", this.seen);
    document.addEventListener("freeze", this.rest);
    document.addEventListener("resume", this.rejoin);
    window.addEventListener("pagehide", this.rest);
    window.addEventListener("pageshow", this.rejoin);
    window.addEventListener("storage", this.stored);
    this.join(ANSWER_MS);
  }

  on(event: string, listener: Listener) {
    const set = this.listeners.get(event) ?? new Set();
    const known = set.size > 0;
    this.listeners.set(event, set.add(listener));
    // A late listener of a running stream begins with what is known.
    if (event === "snapshot" && this.state === "open" && this.prices.size > 0) listener([...this.prices.values()] as never);
    if (known) return;
    if (this.source) this.source.want([event]);
    else this.say({ ask: TAB, names: [event] });
  }
  watch(watcher: Watcher) {
    this.watchers.add(watcher);
    watcher(this.state);
  }
  off(events: [string, Listener][], watcher: Watcher | undefined): boolean {
    for (const [event, listener] of events) this.listeners.get(event)?.delete(listener);
    if (watcher) this.watchers.delete(watcher);
    return [...this.listeners.values()].every((set) => set.size === 0);
  }
  close() {
    this.rest();
    this.stopWaking();
    document.removeEventListener("visibilitychange", this.seen);
    document.removeEventListener("freeze", this.rest);
    document.removeEventListener("resume", this.rejoin);
    window.removeEventListener("pagehide", this.rest);
    window.removeEventListener("pageshow", this.rejoin);
    window.removeEventListener("storage", this.stored);
  }

  // Among the tabs --------------------------------------------------------------------------------------------------------

  private join(patience: number) {
    if (this.source || this.channel) return;
    if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return this.lead();
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = ({ data }: MessageEvent<Word>) => (data.to === undefined || data.to === TAB) && this.hear(data);
    this.queue();
    this.ask(patience);
  }
  private readonly rejoin = () => this.join(ANSWER_WAKING_MS);

  /** Waits for its turn to lead; `steal` takes it from a tab that does not answer. */
  private queue(steal = false) {
    this.turn?.abort();
    const turn = new AbortController();
    this.turn = turn;
    const held = new Promise<void>((release) => turn.signal.addEventListener("abort", () => release(), { once: true }));
    const options = steal ? { steal } : { signal: turn.signal };
    navigator.locks
      .request(this.name, options, () => {
        if (turn.signal.aborted) return;
        this.lead();
        return held;
      })
      .catch((error: unknown) => {
        if (turn.signal.aborted) return;
        // Another tab has taken over from this one.
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
        this.source?.close();
        this.source = null;
        this.queue();
        this.ask(ANSWER_MS);
      });
  }

  private lead() {
    clearTimeout(this.takeOver);
    this.source?.close();
    this.source = new Source(this.address, {
      told: (news) => {
        this.take(news);
        this.say({ told: news });
      },
      state: (state) => {
        this.tell(state);
        this.say({ state });
      },
      over: (why) => {
        this.say({ over: why });
        this.end(why);
      },
    });
    this.source.want(this.listeners.keys());
    this.say({ led: true });
  }

  private readonly address = () => {
    const asked = new URLSearchParams();
    if (this.person) asked.set("as", this.person);
    if (savesData()) asked.set("quotes", "slow");
    if (this.since) asked.set("since", this.since);
    return asked.size ? `${this.url}?${asked}` : this.url;
  };

  /** Asks the leading tab for where things stand; where it does not answer, this one leads. */
  private ask(patience: number) {
    this.say({ ask: TAB, names: [...this.listeners.keys()] });
    clearTimeout(this.takeOver);
    this.takeOver = setTimeout(() => this.source || this.queue(true), patience * (1 + Math.random() / 4));
  }

  private hear(word: Word) {
    if ("ask" in word) {
      if (!this.source) return;
      this.source.want(word.names);
      this.say({ to: word.ask, state: this.state });
      if (this.prices.size > 0 && word.names.includes("snapshot"))
        this.say({ to: word.ask, told: { event: "snapshot", data: [...this.prices.values()], id: this.since } });
      return;
    }
    if (this.source) return;
    this.heardAt = Date.now();
    clearTimeout(this.takeOver);
    if ("led" in word) this.say({ ask: TAB, names: [...this.listeners.keys()] });
    else if ("told" in word) this.take(word.told);
    else if ("state" in word) this.tell(word.state);
    else this.end(word.over);
  }

  private say(word: Word) {
    this.channel?.postMessage(word);
  }

  /** A tab that is put away leaves the lead to one that is awake. */
  private readonly rest = () => {
    clearTimeout(this.takeOver);
    this.turn?.abort();
    this.turn = null;
    this.source?.close();
    this.source = null;
    this.channel?.close();
    this.channel = null;
    if (this.state === "open") this.tell("connecting");
  };

  private readonly check = (slept: boolean) => {
    if (this.source || !this.channel) return;
    if (!slept && Date.now() - this.heardAt <= SILENCE_MS) return;
    this.heardAt = Date.now();
    this.tell("connecting");
    this.ask(ANSWER_WAKING_MS);
  };

  private readonly stored = ({ key }: StorageEvent) => {
    if (key === SAVER) this.source?.open();
  };

  renew() {
    this.source?.open();
  }

  // In this tab -----------------------------------------------------------------------------------------------------------

  private take({ event, data, id }: Told) {
    if (id) this.since = id;
    if (event === "snapshot" || event === "quotes") {
      if (event === "snapshot") [this.prices, this.unseen].forEach((each) => each.clear());
      for (const price of data as Price[]) this.prices.set(price.symbol, price);
      if (event === "quotes" && document.visibilityState === "hidden") {
        for (const price of data as Price[]) this.unseen.set(price.symbol, price);
        return;
      }
    }
    this.deliver(event, data);
    // The frame's own script, which listens to no stream, counts anew what support said.
    if (event === "ticket" || (event === "chat" && (data as { about?: string }).about !== "typing")) dispatchEvent(new Event("supportnews"));
  }

  private deliver(event: string, data: unknown) {
    for (const listener of this.listeners.get(event) ?? []) listener(data as never);
  }

  private readonly seen = () => {
    if (document.visibilityState === "hidden" || this.unseen.size === 0) return;
    const news = [...this.unseen.values()];
    this.unseen.clear();
    this.deliver("quotes", news);
  };

  private tell(state: StreamState) {
    this.state = state;
    for (const watcher of this.watchers) watcher(state);
  }

  private end(why: Over) {
    this.close();
    this.tell("lost");
    if (why === "signed-out") signInAgain();
    else location.reload();
  }
}

// Data saver --------------------------------------------------------------------------------------------------------------

const SAVER = "data-saver";

/** Whether quotes should come seldom: the person's own choice in this browser, else what the device is set to. */
export function savesData(): boolean {
  const chosen = choice();
  if (chosen) return chosen === "on";
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

function choice(): string | null {
  try {
    return localStorage.getItem(SAVER);
  } catch {
    return null; // Storage may be forbidden; the device's setting then applies.
  }
}

/** Sets it for every tab of this browser, at once. */
export function saveData(on: boolean) {
  try {
    localStorage.setItem(SAVER, on ? "on" : "off");
  } catch {
    return; // Without storage there is nothing that the leading tab could read.
  }
  for (const stream of streams.values()) stream.renew();
}

// Listening ---------------------------------------------------------------------------------------------------------------

const streams = new Map<string, Stream>();

/**
 * Listens to `events` of the stream at `url`; returns the way to stop. `onState` is told when the connection is made and lost.
 * The connection closes with its last listener.
 */
export function listen<Events extends Record<string, unknown>>(
  url: string,
  events: { [K in keyof Events]?: (data: Events[K]) => void },
  onState?: (state: StreamState) => void,
): () => void {
  const stream = streams.get(url) ?? new Stream(url, document.documentElement.dataset.person ?? "");
  streams.set(url, stream);
  const pairs = Object.entries(events) as [string, Listener][];
  for (const [event, listener] of pairs) stream.on(event, listener);
  if (onState) stream.watch(onState);
  return () => {
    if (!stream.off(pairs, onState)) return;
    stream.close();
    streams.delete(url);
  };
}

/** Closes every connection, whoever listens; for tests, whose pages end while the program goes on. */
export function endStreams() {
  for (const stream of streams.values()) stream.close();
  streams.clear();
}
