import { Refusal } from "../lib/refusal";
import { withHeaders } from "./answer";
import { SAFE_METHODS } from "./guard";
import type { House } from "./house";
import { renderPage } from "./page";
import type { Visit } from "./visit";

/** What is told where there is too much to do. */
export const busy = () => new Refusal("unavailable", "The service is very busy. Please try again in a moment.", undefined, 1);

const drawn = new WeakMap<House, Response>();

/** The same as a page: drawn once and then copied, since it is answered where nothing may cost. */
export async function busyPage(house: House, visit: Visit): Promise<Response> {
  if (!SAFE_METHODS.has(visit.request.method)) return draw(house, visit, false);
  const page = drawn.get(house) ?? (await draw(house, visit, true));
  drawn.set(house, page);
  return withHeaders(page.clone(), visit.headers);
}

/** For anyone, at any address: of the visitor nothing is in it. */
function draw(house: House, { url }: Visit, again: boolean): Promise<Response> {
  const { message, retryAfter } = busy();
  const nowhere = new URL("/busy", url);
  const headers = new Headers({ "Retry-After": String(retryAfter) });
  const anyone = { request: new Request(nowhere), url: nowhere, ip: "", secure: false, userAgent: "", id: "", me: null, headers, once: null };
  return renderPage(house, { kind: "error", status: 503, message, again }, { ...anyone, country: () => null, keepOpen: () => {} });
}
