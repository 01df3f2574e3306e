import { createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A letter as a mail program reads it. */
export type Received = { to: string; from: string; headers: Record<string, string>; subject: string; text: string; html: string };

/** The mail server of a test: takes letters over SMTP and reads them. */
export async function openMailServer(options: SMTPServerOptions = {}) {
  const got: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.onAuth ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const [to] = rcptTo;
        got.push(read(Buffer.concat(chunks).toString("latin1"), mailFrom ? mailFrom.address : "", to?.address ?? ""));
        done(null, "OK: taken");
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const port = await listening(server.server);
  return {
    got,
    port,
    url: `smtp://127.0.0.1:${port}`,
    /** The letters to an address, oldest first. */
    to: (address: string) => got.filter(({ to }) => to === address),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Something at a port that is no mail server: says `words` to whoever comes, and to each line again. */
export async function openNonsense(words: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (words) socket.write(words);
    socket.on("data", () => words && socket.write(words));
  });
  const port = await listening(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const listening = (server: { listen(port: number, host: string, done: () => void): unknown; address(): unknown }) =>
  new Promise<number>((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)));

/** Reads the two parts of a letter, each quoted-printable, base 64 or plain (RFC 2045). */
export function read(raw: string, from: string, to: string): Received {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(split) : [];
  const of = (type: string) => {
    const part = parts.find((each) => each.headers["content-type"]?.startsWith(type));
    return part ? decoded(part.body, part.headers["content-transfer-encoding"] ?? "") : "";
  };
  return { from, to, headers, subject: words(headers.subject ?? ""), text: of("text/plain"), html: of("text/html") };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const text = raw.replace(/^\r\n/, "");
  const end = text.indexOf("\r\n\r\n");
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(":")).toLowerCase();
    // What came twice was forged.
    headers[name] = name in headers ? "TWICE" : line.slice(line.indexOf(":") + 1).trim();
  }
  return { headers, body: text.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, "base64").toString();
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, "latin1").toString().replaceAll("\r\n", "\n");
  const bytes = body.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString().replaceAll("\r\n", "\n");
}

/** A header's encoded words (RFC 2047). */
const words = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B" ? Buffer.from(text, "base64").toString() : decoded(text.replaceAll("_", " "), "quoted-printable"),
    );

/** The first link of a letter to this page. */
export const linkIn = ({ text }: Pick<Received, "text">, page: string): string => {
  const found = new RegExp(`\\S+${page}\\?token=[\\w-]{43}`).exec(text)?.[0];
  if (!found) throw new Error(`no link to ${page} in: ${text}`);
  return found;
};
