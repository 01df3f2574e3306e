import { connect } from "node:net";

type RawAnswer = { text: string; status: number | null; closed: boolean };

/** Whether an answer is there whole: its head, and the body that the head announces. One that announces none ends with the connection. */
function isWhole(text: string): boolean {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  if (rest.length === 0) return false;
  if (/^HTTP\/1\.1 (1\d\d|204|304) /.test(head)) return true;
  const body = rest.join("\r\n\r\n");
  const announced = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (announced !== undefined) return body.length >= Number(announced);
  return /^transfer-encoding: chunked$/im.test(head) && body.endsWith("0\r\n\r\n");
}

/**
 * Writes bytes to a server on loopback and returns what came back: until the server closes or the answer is whole. After `most` ms, for
 * a server that does neither, it is what came until then. For what no HTTP client would send.
 */
export function rawExchange(port: number, sent: string, most = 60_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const finish = (closed: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
      resolve({ text, status: status === undefined ? null : Number(status), closed });
    };
    const limit = setTimeout(() => finish(false), most);
    socket.on("connect", () => socket.write(sent, "latin1"));
    socket.on("data", (data) => {
      text += data.toString("latin1");
      if (isWhole(text)) finish(false);
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}
