import { promisify } from "node:util";
import * as zlib from "node:zlib";

const { constants } = zlib;
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

type Bytes = Uint8Array<ArrayBuffer>;
/** Answers to copy: a copy shares the bytes and costs less than a response made anew. */
type Ready = { etag: string; page: Response; unchanged: Response };

/** A session may stand behind this cookie; then the page must be made for that person. */
const MAY_BE_SIGNED_IN = /(^|[;\s])(__Host-)?sid=/;
/** True where the answer does not depend on who asks, or on more than the path. */
function isForAnyone({ url, headers }: Request): boolean {
  const cookie = headers.get("cookie");
  return !url.includes("?") && (cookie === null || !MAY_BE_SIGNED_IN.test(cookie));
}

/** While one visitor's request draws the page anew, the others still get the old one. */
const REDRAW_MS = 1000;

/**
 * A page that is the same for every signed-out visitor: drawn once, hashed and compressed once, then answered without any
 * other work. Each route has its own, so there is nothing to look up.
 */
export class KeptPage {
  /** Counts what all pages show anew, a brand say: what was drawn before is not answered any more. */
  private static turn = 0;
  private turn = 0;
  private ready: { br: Ready; gzip: Ready; plain: Ready } | null = null;
  private until = 0;
  /** Settles, never rejects, when the drawing under way is over. */
  private drawing: Promise<void> | null = null;
  /** Answers given from what was kept, for the metrics. */
  served = 0;

  /** The kept answer; null when it must be drawn: never yet, too old, an address with a query, or a visitor with a session cookie. */
  answer(request: Request): Response | null {
    if (this.turn !== KeptPage.turn) this.ready = null;
    const { ready } = this;
    if (!ready || !isForAnyone(request)) return null;
    const { headers } = request;
    const now = Date.now();
    if (now >= this.until && !this.drawing) {
      this.until = now + REDRAW_MS;
      return null;
    }
    this.served++;
    const coding = headers.get("accept-encoding") ?? "";
    const form = coding.includes("br") ? ready.br : coding.includes("gzip") ? ready.gzip : ready.plain;
    return (headers.get("if-none-match")?.includes(form.etag) ? form.unchanged : form.page).clone();
  }

  /**
   * The kept answer, or else what `draw` makes. Where many come before anything is kept, say after a restart, one draws and the others wait
   * for it.
   */
  async orDrawn(request: Request, draw: () => Promise<Response>): Promise<Response> {
    if (!isForAnyone(request)) return draw();
    if (!this.ready && this.drawing) {
      await this.drawing;
      return this.answer(request) ?? draw();
    }
    const drawn = draw();
    const over = drawn.then(
      () => {},
      () => {},
    );
    this.drawing = over;
    void over.then(() => {
      if (this.drawing === over) this.drawing = null;
    });
    return drawn;
  }

  /**
   * Keeps `html` for so many milliseconds. Pages kept for long are compressed as small as possible, others a little less: a page that fits
   * into the first packets arrives a round trip sooner. A thread of its own does it, so nothing else waits.
   */
  async keep(html: string, headers: Headers, forMs: number) {
    const [until, { turn }] = [Date.now() + forMs, KeptPage];
    const plain = new TextEncoder().encode(html) as Bytes;
    const hash = Bun.hash(plain).toString(36);
    const quality = forMs > 60_000 ? constants.BROTLI_MAX_QUALITY : 10;
    const form = (body: Bytes, coding: string | null): Ready => {
      const own = new Headers(headers);
      const etag = `"${hash}${coding ? `-${coding}` : ""}"`;
      own.set("ETag", etag);
      own.set("Cache-Control", "no-cache");
      own.set("Vary", "Accept-Encoding, Cookie");
      if (coding) own.set("Content-Encoding", coding);
      return { etag, page: new Response(body, { headers: own }), unchanged: new Response(null, { status: 304, headers: own }) };
    };
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
    const [br, gz] = await Promise.all([brotli(plain, { params }), gzip(plain, { level: 6 })]);
    this.ready = { br: form(new Uint8Array(br), "br"), gzip: form(new Uint8Array(gz), "gzip"), plain: form(plain, null) };
    this.until = until;
    this.turn = turn;
  }

  /** What all pages show has changed: each is drawn anew when it is next asked for. */
  static dropAll(): void {
    KeptPage.turn++;
  }
}
