import { Elysia } from "elysia";
import type { AppContext } from "../app_context";
import type { KeptPage } from "../page/kept_page";
import { refuseUnaddressed } from "./guard";
import { dressed } from "./headers";
import { noRoute } from "./no_route";
import type { Routes } from "./routes";
import { type Incoming, isSecure } from "./request_context";

/** The server of all routes: what a domain added answers, whatever else is asked gets a 404 or 405. `list` names every route with its lock. */
export function openRouter(app: AppContext, routes: readonly Routes[]) {
  const list = routes.flatMap((domain) => domain.list);
  const dress = (answer: Response, incoming: Incoming) => dressed(answer, isSecure(incoming, app.config));
  const native = keptFirst(routes, dress, (request) => router.handle(request));
  // Elysia looks for the path behind a host of at least four characters unless told that hosts may be short.
  const front = new Elysia({ handler: { standardHostname: false }, serve: { routes: native } }).onRequest(({ request, server }) => {
    const refused = refuseUnaddressed(request);
    return refused && dress(refused, { request, server });
  }) as unknown as Elysia;
  const router = routes.reduce<Elysia>((all, domain) => all.use(domain.router) as unknown as Elysia, front).onError(noRoute(app, list));
  return { router, list };
}

type Dress = (answer: Response, incoming: Incoming) => Response;
/** Native routes for the kept pages: what lies ready is answered without the framework, the rest goes through it. */
function keptFirst(routes: readonly Routes[], dress: Dress, rest: (request: Request) => Response | Promise<Response>) {
  const answered = (kept: KeptPage, request: Request, server: Incoming["server"]) => {
    const ready = kept.answer(request);
    return ready ? dress(ready, { request, server }) : rest(request);
  };
  const native = ([path, kept]: [string, KeptPage]) => [path, { GET: (request: Request, server: Incoming["server"]) => answered(kept, request, server) }];
  return Object.fromEntries(routes.flatMap((domain) => [...domain.kept]).map(native));
}
