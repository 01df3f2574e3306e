import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { Refusal } from "../lib/refusal";
import { SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { dropDead, dropDevicesOf, noteFailure, noteTold } from "./commands_push";
import { proofFor, sealed } from "./envelope";
import type { Broadcaster } from "./broadcaster";
import { devicesOfPeople, type PersonDevice, type PersonNews } from "./queries_people";
import type { Told } from "./queries";
import { type Device, devicesToTell, serverKeys } from "./queries_push";
import { placeInApp, reaches } from "./rules";
import type { Notification } from "./schema";

/** Of one kind at most one message in so many ms, which then says how many more there were. */
const REST_MS = 10 * SECOND;
const PATIENCE_MS = 10 * SECOND;
/** Messages on their way at once. */
const AT_ONCE = 8;
/** Kept by the push service for a device that sleeps, in seconds. */
const KEPT_SECONDS = 4 * 3600;

type Message = { title: string; body: string; tag: string; url: string };
/** Given by tests only: which addresses may be reached, what stands for the network, and how long a kind rests. */
export type PushParts = { allowed(url: URL): Promise<boolean>; fetch: (url: string, init: RequestInit) => Promise<Response>; restMs: number };
const INTERNET: PushParts = { allowed: isPublic, fetch: (url, init) => fetch(url, init), restMs: REST_MS };

/**
 * Tells devices that no page is open on, through their browsers' push services. Told are the notifications that this program
 * numbered, so each is sent once, whichever programs run. Push is a second way: what fails here stands in the list all the same.
 */
export class Push {
  /** By kind, and by who may know of it. */
  private readonly pending = new Map<string, { newest: Told; more: number }>();
  private readonly resting = new Map<string, Timer>();
  private readonly stops: (() => void)[] = [];
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: AppContext,
    private readonly parts = INTERNET,
  ) {}

  start(broadcaster: Broadcaster): void {
    const { bus, sql, log } = this.app;
    this.stops.push(
      broadcaster.onNumbered((news) => this.tell(news)),
      bus.subscribe("sessions", ({ userId, sessionId }) => {
        dropDevicesOf(sql, userId, sessionId).catch((error: unknown) => log.warn("a device could not be signed out of push", { error }));
      }),
    );
  }

  /** Resolves when what is under way has been sent. */
  idle(): Promise<void> {
    return this.turn;
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    for (const timer of this.resting.values()) clearTimeout(timer);
    this.pending.clear();
    await this.turn;
  }

  /** Throws Refusal (invalid) unless this is an address that a push service can have: https, on the internet. */
  async refuseUnreachable(endpoint: string): Promise<void> {
    if (await this.parts.allowed(new URL(endpoint))) return;
    throw new Refusal("invalid", "endpoint must be an https address of a push service.", { endpoint: "endpoint must be an https address of a push service." });
  }

  /** Sends one message to one device; true where its push service took it. A device that is gone is forgotten. */
  async send(device: Device, message: Message): Promise<boolean> {
    const { sql, log, config } = this.app;
    try {
      if (!(await this.parts.allowed(new URL(device.endpoint)))) throw new Error("the address is none of a push service any more");
      const body = await sealed(new TextEncoder().encode(JSON.stringify(message)), device);
      const contact = config.publicUrl?.startsWith("https:") ? config.publicUrl : "mailto:admin@localhost.invalid";
      const proof = await proofFor(device.endpoint, contact, await serverKeys(sql), Date.now());
      const answer = await this.parts.fetch(device.endpoint, {
        method: "POST",
        headers: {
          Authorization: proof,
          "Content-Encoding": "aes128gcm",
          "Content-Type": "application/octet-stream",
          TTL: String(KEPT_SECONDS),
          Urgency: "high",
        },
        body: body as Uint8Array<ArrayBuffer>,
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) await dropDead(sql, device.id);
      else if (answer.ok) await noteTold(sql, device.id);
      else throw new Error(`the push service answered ${answer.status}`);
      return answer.ok;
    } catch (error) {
      log.warn("a push message could not be sent", { device: device.id, error });
      await noteFailure(sql, device.id).catch((fault: unknown) => log.warn("a failed push could not be noted", { error: fault }));
      return false;
    }
  }

  private tell(news: readonly Told[]): void {
    for (const each of news) {
      if (each.metadata.demo === true) continue;
      const kind = `${each.type} ${each.permission}`;
      this.pending.set(kind, { newest: each, more: (this.pending.get(kind)?.more ?? -1) + 1 });
      if (!this.resting.has(kind)) this.release(kind);
    }
  }

  /** Sends what waits of a kind, once the messages before it are on their way; then the kind rests. */
  private release(kind: string): void {
    this.resting.delete(kind);
    if (!this.pending.has(kind)) return;
    this.resting.set(
      kind,
      setTimeout(() => this.release(kind), this.parts.restMs),
    );
    this.turn = this.turn.then(async () => {
      const waiting = this.pending.get(kind);
      this.pending.delete(kind);
      if (waiting) await this.spread(waiting.newest, waiting.more);
    });
  }

  /** Tells people's devices what concerns them; where one person has much at once, in few messages. */
  tellPeople(news: readonly PersonNews[]): void {
    this.turn = this.turn.then(async () => {
      try {
        const byPerson = Map.groupBy(news, ({ userId }) => userId);
        const devices = await devicesOfPeople(this.app.sql, [...byPerson.keys()]);
        const sends = devices.flatMap((device) => messagesFor(device, byPerson.get(device.userId) ?? []).map((message) => ({ device, message })));
        for (let n = 0; n < sends.length; n += AT_ONCE) await Promise.all(sends.slice(n, n + AT_ONCE).map(({ device, message }) => this.send(device, message)));
      } catch (error) {
        this.app.log.warn("devices of people could not be told", { error });
      }
    });
  }

  private async spread(newest: Told, more: number): Promise<void> {
    try {
      const devices = (await devicesToTell(this.app.sql, newest.permission)).filter(({ kinds }) => reaches(newest, kinds));
      const message = messageOf(newest, more);
      for (let n = 0; n < devices.length; n += AT_ONCE) await Promise.all(devices.slice(n, n + AT_ONCE).map((device) => this.send(device, message)));
    } catch (error) {
      this.app.log.warn("devices could not be told", { error });
    }
  }
}

export const messageOf = ({ title, message, type, metadata }: Pick<Notification, "title" | "message" | "type" | "metadata">, more: number): Message => ({
  title,
  body: `${message.slice(0, 250)}${more > 0 ? ` And ${more} more.` : ""}`,
  tag: type,
  url: placeInApp({ type, metadata }),
});

/** So many messages of one moment come to a device one by one; of the others there is one that says how many. */
const ONE_BY_ONE = 3;

/** The person's news for a device, without the topics that the person left out. */
function messagesFor({ silent }: Pick<PersonDevice, "silent">, news: readonly PersonNews[]): Message[] {
  const wanted = news.filter(({ topic }) => topic === null || !silent.includes(topic));
  const messages = wanted.slice(0, ONE_BY_ONE).map(({ title, message, tag, url }) => ({ title, body: message.slice(0, 290), tag, url }));
  const [more] = wanted.slice(ONE_BY_ONE);
  const rest = wanted.length - messages.length;
  return more ? [...messages, { title: more.title, body: `And ${rest} more.`, tag: "more", url: more.url }] : messages;
}

/** Networks that no push service is on: this machine, private ones, and those that are not for hosts. */
const INNER = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  INNER.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  INNER.addSubnet(network, bits, "ipv6");

const isInner = (address: string): boolean => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(mapped);
  return family === 0 || /^::ffff:/i.test(mapped) || INNER.check(mapped, family === 4 ? "ipv4" : "ipv6");
};

/** Whether an address is https at a named host all of whose addresses are on the internet. */
export async function isPublic({ protocol, hostname, port, username }: URL): Promise<boolean> {
  if (protocol !== "https:" || port !== "" || username !== "" || !hostname.includes(".") || isIP(hostname) || hostname.startsWith("[")) return false;
  try {
    const found = await lookup(hostname, { all: true });
    return found.length > 0 && found.every(({ address }) => !isInner(address));
  } catch {
    // A name that leads nowhere is no push service.
    return false;
  }
}
