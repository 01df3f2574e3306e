/** One reader of an event stream, which keeps what came. */
export class LiveStream {
  text = "";
  /** Resolves when the stream is over, however it ended. */
  readonly ended: Promise<void>;
  private waiting: (() => void)[] = [];
  private over = false;

  constructor(
    readonly response: Response,
    private readonly stop: () => void,
  ) {
    this.ended = this.read();
  }

  /** Opens the stream; rejects where the answer is not one. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveStream> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    if (!response.ok) throw new Error(`no stream: ${response.status} ${await response.text()}`);
    return new LiveStream(response, () => abort.abort());
  }

  /** Waits until this text has come; rejects where the stream ends without it. */
  async has(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      if (this.over) throw new Error(`the stream ended without '${part}': ${this.text.slice(-500)}`);
      await new Promise<void>((go) => this.waiting.push(go));
    }
  }

  close() {
    this.stop();
  }

  private async read() {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        this.text += decoder.decode(chunk, { stream: true });
        this.wake();
      }
    } catch {
      // Cut off, by us or by the server: an end like any other here.
    }
    this.over = true;
    this.wake();
  }

  private wake() {
    for (const go of this.waiting.splice(0)) go();
  }
}
