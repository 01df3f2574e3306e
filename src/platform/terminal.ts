import { StartError, UsageError } from "./start_error";

/** Where the operator's keys come from: a terminal, or the lines of a file or another program. */
type Keys = Pick<NodeJS.ReadStream, "on" | "setEncoding"> & { isTTY?: boolean; setRawMode?(raw: boolean): unknown };
type Screen = { write(text: string): unknown };

const ENTER = new Set(["\r", "\n"]);
const ERASE = new Set(["\u007f", "\b"]);
const INTERRUPT = "\u0003";
const END = "\u0004";

/** Rejects when a signal ends the command. */
export function interruption(): Promise<never> {
  return new Promise((_, end) => {
    process.once("SIGINT", () => end(new StartError("interrupted")));
    process.once("SIGTERM", () => end(new StartError("stopped by SIGTERM")));
  });
}

/**
 * Asks the operator. Where the input is no terminal its lines are the answers, in their order, and no question shows. Throws
 * UsageError where the input ends before the answer, StartError where the operator breaks off.
 */
export class Terminal {
  private typed = "";
  private heard = false;
  private ended = false;
  private wake = () => {};

  constructor(
    private readonly keys: Keys = process.stdin,
    private readonly screen: Screen = process.stderr,
  ) {}

  /** Asks for a line. */
  async askText(question: string): Promise<string> {
    try {
      return (await this.ask(question, () => this.line(question))).trim();
    } catch (error) {
      // What is said of it does not belong behind the question.
      if (this.keys.isTTY) this.screen.write("\n");
      throw error;
    }
  }

  /** Asks for a line without showing what is typed. */
  async askSecret(question: string): Promise<string> {
    if (!this.keys.isTTY) return this.ask(question, () => this.line(question));
    this.keys.setRawMode?.(true);
    try {
      return await this.ask(question, () => this.hiddenLine());
    } finally {
      this.keys.setRawMode?.(false);
      this.screen.write("\n");
    }
  }

  private ask(question: string, answer: () => Promise<string>): Promise<string> {
    this.listen();
    // Before the question shows: who answers it with Ctrl-C at once breaks off as well.
    const interrupted = interruption();
    if (this.keys.isTTY) this.screen.write(`${question}: `);
    return Promise.race([answer(), interrupted]);
  }

  /** From the first question on; what comes before the next one waits for it. */
  private listen() {
    if (this.heard) return;
    this.heard = true;
    const end = () => {
      this.ended = true;
      this.wake();
    };
    try {
      this.keys.setEncoding("utf8");
      for (const event of ["end", "error", "close"]) this.keys.on(event, end);
      this.keys.on("data", (chunk: unknown) => {
        this.typed += String(chunk);
        this.wake();
      });
    } catch {
      end(); // A folder, say, which holds no lines.
    }
  }

  /** A line as it was sent; the last one may lack its end. */
  private async line(question: string): Promise<string> {
    while (!this.typed.includes("\n") && !this.ended) await this.more();
    const length = this.typed.indexOf("\n");
    if (length < 0 && !this.typed && this.keys.isTTY) throw new StartError("interrupted");
    if (length < 0 && !this.typed) throw new UsageError(`the input ended before an answer to '${question}'; see halyard --help`);
    return this.take(length < 0 ? this.typed.length : length + 1).replace(/\r?\n$/, "");
  }

  /** A line as it is typed, key by key, which the terminal leaves to us where it does not show it. */
  private async hiddenLine(): Promise<string> {
    const line: string[] = [];
    for (;;) {
      while (!this.typed && !this.ended) await this.more();
      const [key = END] = this.typed;
      this.take(key.length);
      if (key === INTERRUPT || key === END) throw new StartError("interrupted");
      if (ENTER.has(key)) return line.join("");
      if (ERASE.has(key)) line.pop();
      else line.push(key);
    }
  }

  private take(length: number): string {
    const taken = this.typed.slice(0, length);
    this.typed = this.typed.slice(length);
    return taken;
  }

  private more(): Promise<void> {
    return new Promise((wake) => (this.wake = wake));
  }
}
