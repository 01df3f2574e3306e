/**
 * Server-sent events, as every island listens to them: one connection for each address, however many listen; it comes back by
 * itself, slower each time while the server is away, and at once when the page is seen or online again after a silence (a
 * connection that slept looks open and is dead).
 */
export type StreamState = "connecting" | "open" | "lost";
type Listener = (data: never) => void;
type Watcher = (state: StreamState) => void;

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** The server writes at least every 8 seconds; a stream with events that was quiet for longer while the page was hidden is suspect. */
const SILENCE_MS = 10_000;

class Stream {
  private source: EventSource | null = null;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly watchers = new Set<Watcher>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private heardAt = 0;
  private state: StreamState = "connecting";

  constructor(private readonly url: string) {
    this.open();
    document.addEventListener("visibilitychange", this.look);
    window.addEventListener("online", this.look);
  }

  on(event: string, listener: Listener) {
    const set = this.listeners.get(event);
    if (set) set.add(listener);
    else {
      this.listeners.set(event, new Set([listener]));
      this.source?.addEventListener(event, this.receive);
    }
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
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("online", this.look);
  }

  private open() {
    clearTimeout(this.retry);
    this.source?.close();
    this.tell("connecting");
    this.heardAt = Date.now();
    const source = new EventSource(this.url);
    this.source = source;
    source.onopen = () => {
      this.failures = 0;
      this.heardAt = Date.now();
      this.tell("open");
    };
    source.onerror = () => {
      this.tell("lost");
      // While the browser itself tries again it says CONNECTING; CLOSED means that it gave up (an error status).
      if (source.readyState !== EventSource.CLOSED) return;
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures++);
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.open(), wait * (0.5 + Math.random() / 2));
    };
    for (const event of this.listeners.keys()) source.addEventListener(event, this.receive);
  }

  private readonly receive = (event: MessageEvent<string>) => {
    this.heardAt = Date.now();
    const data = JSON.parse(event.data) as never;
    for (const listener of this.listeners.get(event.type) ?? []) listener(data);
  };

  private readonly look = () => {
    if (document.visibilityState === "hidden") return;
    if (this.state !== "open" || Date.now() - this.heardAt > SILENCE_MS) this.open();
  };

  private tell(state: StreamState) {
    this.state = state;
    for (const watcher of this.watchers) watcher(state);
  }
}

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
  const stream = streams.get(url) ?? new Stream(url);
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
