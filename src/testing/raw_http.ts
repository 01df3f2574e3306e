import { connect } from "node:net";

type RawAnswer = { text: string; status: number | null; closed: boolean };

/**
 * Writes bytes to a server on loopback and returns what came back: until the server closes, or the head of an answer is
 * there and nothing followed for a moment, or `most` ms have passed. For what no HTTP client would send.
 */
export function rawExchange(port: number, sent: string, most = 2_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let quiet: Timer | undefined;
    const finish = (closed: boolean) => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
      resolve({ text, status: status === undefined ? null : Number(status), closed });
    };
    const limit = setTimeout(() => finish(false), most);
    socket.on("connect", () => socket.write(sent, "latin1"));
    socket.on("data", (data) => {
      text += data.toString("latin1");
      clearTimeout(quiet);
      if (text.includes("\r\n\r\n")) quiet = setTimeout(() => finish(false), 50);
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}
