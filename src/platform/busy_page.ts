import { Refusal } from "../lib/refusal";
import { withHeaders } from "./answer";
import type { House } from "./house";
import { renderPage } from "./page";
import type { Visit } from "./visit";

/** What is told where there is too much to do. */
export const busy = () => new Refusal("unavailable", "The service is very busy. Please try again in a moment.", undefined, 1);

const drawn = new WeakMap<House, Response>();

/** The same as a page: drawn once and then copied, since it is answered where nothing may cost. */
export async function busyPage(house: House, visit: Visit): Promise<Response> {
  const page = drawn.get(house) ?? (await draw(house, visit));
  drawn.set(house, page);
  return withHeaders(page.clone(), visit.headers);
}

/** For anyone: the first visitor is left out of it. */
function draw(house: House, { url }: Visit): Promise<Response> {
  const { message, retryAfter } = busy();
  const front = new URL("/", url);
  const headers = new Headers({ "Retry-After": String(retryAfter) });
  const anyone = { request: new Request(front), url: front, ip: "", secure: false, userAgent: "", id: "", me: null, headers, once: null };
  return renderPage(house, { kind: "error", status: 503, message }, { ...anyone, country: () => null, keepOpen: () => {} });
}
