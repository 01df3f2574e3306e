import { isPublic, type PushParts } from "../notifications/push";
import { decoded, encoded, stretched } from "../notifications/envelope";

/** What a device of the push service got, as its browser reads it. */
type Got = { device: string; message: Record<string, string>; headers: Headers };
export type PushBrowser = { endpoint: string; keys: { p256dh: string; auth: string }; privateKey: CryptoKey };

/** A push service that reads what it gets, as the browser behind it would. `answerWith` is the status of its answers. */
export function openPushService() {
  const got: Got[] = [];
  const browsers = new Map<string, PushBrowser>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request): Promise<Response> {
      const device = new URL(request.url).pathname.slice(1);
      const browser = browsers.get(device);
      if (!browser) return new Response("gone", { status: 410 });
      const body = new Uint8Array(await request.arrayBuffer());
      got.push({ device, headers: request.headers, message: JSON.parse(await opened(body, browser)) as Record<string, string> });
      return new Response(null, { status: service.answerWith });
    },
  });
  const service = {
    got,
    answerWith: 201,
    /** For a program whose network this service stands for. */
    parts: {
      allowed: async (url) => url.hostname === "push.test" || (await isPublic(url)),
      fetch: (url, init) => fetch(url.replace("https://push.test", `http://127.0.0.1:${server.port}`), init),
      restMs: 150,
    } satisfies PushParts as PushParts,
    async newBrowser(): Promise<PushBrowser> {
      const pair = (await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])) as CryptoKeyPair;
      const device = crypto.randomUUID();
      const p256dh = encoded(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
      const browser = {
        endpoint: `https://push.test/${device}`,
        keys: { p256dh, auth: encoded(crypto.getRandomValues(new Uint8Array(16))) },
        privateKey: pair.privateKey,
      };
      browsers.set(device, browser);
      return browser;
    },
    /** The device is no more: its service says so. */
    lose: (browser: PushBrowser) => void browsers.delete(deviceOf(browser)),
    stop: () => server.stop(true),
  };
  return service;
}

export const deviceOf = ({ endpoint }: Pick<PushBrowser, "endpoint">): string => endpoint.slice(-36);

/** RFC 8291 from the browser's side. */
async function opened(body: Uint8Array, { keys, privateKey }: PushBrowser): Promise<string> {
  const [salt, theirs, record] = [body.slice(0, 16), body.slice(21, 86), body.slice(86)];
  if (new DataView(body.buffer).getUint32(16) !== 4096 || body[20] !== 65) throw new Error("this is no record of RFC 8188");
  const theirKey = await crypto.subtle.importKey("raw", theirs, { name: "ECDH", namedCurve: "P-256" }, false, []);
  const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirKey }, privateKey, 256));
  const text = (words: string) => new TextEncoder().encode(words);
  const secret = await stretched(shared, decoded(keys.auth), Buffer.concat([text("WebPush: info\0"), decoded(keys.p256dh), theirs]), 32);
  const key = await stretched(secret, salt, text("Content-Encoding: aes128gcm\0"), 16);
  const iv = await stretched(secret, salt, text("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["decrypt"]);
  const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: iv as Uint8Array<ArrayBuffer> }, aes, record));
  if (plain.at(-1) !== 2) throw new Error("this is not the last record");
  return new TextDecoder().decode(plain.slice(0, -1));
}
