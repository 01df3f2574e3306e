import { Refusal } from "../../lib/refusal";
import { MINUTE } from "../../lib/time";
import { type Log, seldom } from "../log";
import type { RequestContext } from "./request_context";

/** Who opens a stream, as far as its bounds ask. */
export type Reader = Pick<RequestContext, "network" | "me">;
export type Most = {
  /** Open streams at most: of one person, of one network, and in all. */
  perPerson: number;
  perNetwork: number;
  inAll: number;
};

/** Seconds after which a place may be free again. */
const LATER = 30;

/** The places for event streams: each holds a descriptor and memory for as long as its reader likes, so they are bounded in all, for each person and for each network. */
export class Places {
  private readonly taken = new Map<string, number>();
  private readonly tell: (fields: Record<string, unknown>) => void;
  count = 0;
  /** Streams that found no place, since the start. */
  refused = 0;

  constructor(
    private readonly most: Most,
    log: Log,
  ) {
    this.tell = seldom(MINUTE, (fields) => log.warn("live connections are refused: a limit is met", fields));
  }

  /** Takes a place; returns how to give it back, which is called once. Refuses (too_many_requests, unavailable) where there is none. */
  take({ network, me }: Reader): () => void {
    const { perPerson, perNetwork, inAll } = this.most;
    if (this.count >= inAll) throw this.none("all", inAll, new Refusal("unavailable", "Too many live connections. Please try again.", undefined, 5));
    const bounds = [{ limit: "network", of: network, most: perNetwork, told: "Too many live connections from your network. New ones open as others close." }];
    if (me)
      bounds.push({ limit: "person", of: me.id, most: perPerson, told: "You are live in too many places. Close this site on another device or browser." });
    for (const { limit, of, most, told } of bounds)
      if ((this.taken.get(`${limit} ${of}`) ?? 0) >= most) throw this.none(limit, most, new Refusal("too_many_requests", told, undefined, LATER), of);
    const keys = bounds.map(({ limit, of }) => `${limit} ${of}`);
    this.change(keys, 1);
    return () => this.change(keys, -1);
  }

  private change(keys: string[], by: 1 | -1): void {
    this.count += by;
    for (const key of keys) {
      const now = (this.taken.get(key) ?? 0) + by;
      if (now > 0) this.taken.set(key, now);
      else this.taken.delete(key);
    }
  }

  private none(limit: string, most: number, refusal: Refusal, of?: string): Refusal {
    this.refused++;
    this.tell({ limit, of, most, open: this.count, refused: this.refused });
    return refusal;
  }
}
