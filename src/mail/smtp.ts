import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Config } from "../config";
import { SECOND } from "../lib/time";
import { isLoopback } from "../platform/http/request_context";
import type { Outcome } from "./commands";

/** How long a server may take for each step, and for a whole letter. */
const CONNECT_MS = 15 * SECOND;
const SILENT_MS = 30 * SECOND;
const LETTER_MS = 60 * SECOND;
/** Letters on one connection: of more than 10 Exim lets the rest lie until its queue is run, with Debian half an hour (`smtp_accept_queue_per_connection`). */
const LETTERS_PER_CONNECTION = 10;

type Server = NonNullable<Config["smtp"]>;
export type Envelope = { from: string; to: string };
type Fault = Error & { code?: string; responseCode?: number; response?: string; command?: string };

/**
 * One connection to the mail server, on which letters are sent one after the other. It is made when it is needed, and made anew after a fault
 * and after so many letters.
 * Where the server offers TLS it is used; a password is never sent without, but to this very machine.
 */
export class SmtpLine {
  private line: Line | null = null;

  constructor(
    private readonly server: Server,
    /** What this program calls itself. */
    private readonly name: string,
  ) {}

  /** Gives a letter to the server; `ends` is done once its text has gone, and before the line that ends it. Never throws: what went wrong is in the outcome, in the server's own words where it said any. */
  async send(
    { from, to }: Envelope,
    message: Buffer,
    ends: () => Promise<unknown> = async () => {},
    within = LETTER_MS,
  ): Promise<Outcome & { reached: boolean }> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the mail server took more than ${within / SECOND} s`)), within);
    });
    try {
      const line = await Promise.race([this.open(), late]);
      const { connection, lost } = line;
      const sent = promised<{ response: string }>((done) => connection.send({ from, to: [to] }, Readable.from(textUntil(ends, message)), done));
      const { response } = await Promise.race([sent, lost, late]);
      if (++line.letters >= LETTERS_PER_CONNECTION) this.end();
      return { to: "sent", answer: response, reached: true };
    } catch (error) {
      this.close();
      return judged(error as Fault);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says goodbye, where nothing more is to be sent: a connection that rests is one that the server may cut in the moment of its next use. */
  end(): void {
    this.line?.connection.quit();
    this.line = null;
  }

  close(): void {
    this.line?.connection.close();
    this.line = null;
  }

  private async open(): Promise<Line> {
    if (this.line && !this.line.connection.destroyed) return this.line;
    const { host, port, secure, user, password } = this.server;
    const here = host === "localhost" || isLoopback(host);
    const connection = new SMTPConnection({
      host,
      port,
      secure,
      name: this.name,
      requireTLS: !secure && user !== null && !here,
      tls: { rejectUnauthorized: !here },
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      socketCloseTimeout: 0,
    });
    const { promise: lost, reject } = Promise.withResolvers<never>();
    // A server that hangs up between two letters is no fault of either.
    lost.catch(() => {});
    const line = { connection, lost, letters: 0 };
    this.line = line;
    const lose = (error: Error) => {
      reject(error);
      if (this.line === line) this.line = null;
    };
    connection.on("error", lose);
    connection.on("end", () => lose(new Error("the mail server hung up")));
    await Promise.race([promised<void>((done) => connection.connect((error) => done(error ?? null))), lost]);
    if (user !== null) await Promise.race([promised<unknown>((done) => connection.login({ credentials: { user, pass: password ?? "" } }, done)), lost]);
    return line;
  }
}

/** The line that ends a letter goes when this does; a server that was cut off before it has none (RFC 5321, 4.1.1.4). */
async function* textUntil(ends: () => Promise<unknown>, message: Buffer) {
  yield message;
  await ends();
}

/** `lost` is rejected when the connection breaks; `letters` have been sent on it. */
type Line = { connection: SMTPConnection; lost: Promise<never>; letters: number };
type Done<T> = (error: Error | null, value?: T) => void;
const promised = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T))));

/**
 * Whether it is worth another try. A server that refuses this recipient or this letter for good (5yz after RCPT or DATA) has said so; anything
 * else, the sender's own address or a password among it, may be mended by tomorrow.
 */
function judged(fault: Fault): Outcome & { reached: boolean } {
  const answer = fault.response ?? fault.message;
  const final = (fault.responseCode ?? 0) >= 500 && /^(RCPT TO|DATA)/.test(fault.command ?? "");
  const reached = fault.responseCode !== undefined && ["EENVELOPE", "EMESSAGE"].includes(fault.code ?? "");
  return { to: final ? "failed" : "again", answer, reached };
}
