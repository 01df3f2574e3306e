import { Refusal } from "../../lib/refusal";

type Arrival = { cut: (refusal: Refusal) => void };
type InflowOptions = {
  /** Bodies of one network that may be on their way, and of all. */
  perNetwork?: number;
  most?: number;
};

const ofNetwork = () => new Refusal("too_many_requests", "Too many requests from your network are still on their way. Please try again.", undefined, 2);
const ofAll = () => new Refusal("unavailable", "Too many requests are still on their way. Please try again.", undefined, 2);

/**
 * Bodies that are still on their way. They are not work yet and delay nobody; they are bounded for each network. Where there are too many, the
 * network with the most of them loses its oldest. A body that comes in one go is never the oldest, whoever else uses the same address.
 */
export class Inflow {
  private readonly arrivals = new Map<string, Set<Arrival>>();
  private readonly perNetwork: number;
  private readonly most: number;
  /** Bodies on their way. */
  count = 0;
  /** Bodies that had to give way, since the start. */
  cut = 0;

  constructor({ perNetwork = 64, most = 1_000 }: InflowOptions = {}) {
    this.perNetwork = perNetwork;
    this.most = most;
  }

  /** Waits for a body. Refuses (too_many_requests, unavailable) where it has to give way. */
  async wait<T>(network: string, body: Promise<T>): Promise<T> {
    const given = Promise.withResolvers<never>();
    const arrival: Arrival = { cut: given.reject };
    const own = this.arrivals.get(network) ?? new Set();
    this.arrivals.set(network, own.add(arrival));
    this.count++;
    if (own.size > this.perNetwork) this.makeRoom(own, ofNetwork());
    else if (this.count > this.most) this.makeRoom(this.largest(), ofAll());
    try {
      return await Promise.race([body, given.promise]);
    } finally {
      this.forget(network, own, arrival);
    }
  }

  private forget(network: string, own: Set<Arrival>, arrival: Arrival): void {
    if (own.delete(arrival)) this.count--;
    if (own.size === 0 && this.arrivals.get(network) === own) this.arrivals.delete(network);
  }

  /** The first of a network is the oldest. */
  private makeRoom(own: Set<Arrival>, refusal: Refusal): void {
    const [oldest] = own;
    if (!oldest) return;
    own.delete(oldest);
    this.count--;
    this.cut++;
    oldest.cut(refusal);
  }

  private largest(): Set<Arrival> {
    let largest = new Set<Arrival>();
    for (const own of this.arrivals.values()) if (own.size > largest.size) largest = own;
    return largest;
  }
}
