import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { readProofs } from "./queries";
import { LogReader } from "./reader";
import { written } from "./rules_files";
import { parseTilePath } from "./rules_tiles";
import { readWitnessed } from "./witnesses";

/** What never changes is kept for ever, by whoever passes it on; verifiers in other sites' pages may read it. */
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable", "Access-Control-Allow-Origin": "*" };
const NEVER = { "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*" };
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };
const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };
const BYTES = { "Content-Type": "application/octet-stream" };

const text = (body: string | null | undefined) => (body ? new Response(body, { headers: { ...TEXT, ...NEVER } }) : notThere());
const notThere = () => new Response("not found\n", { status: 404, headers: { ...TEXT, "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" } });

/**
 * The log as C2SP's tlog-tiles serves one: static files, which any program on the database answers alike. Below its number each log stands for ever, those
 * that have ended too; without one it is the newest, so that after another's end the same address holds other bytes.
 */
export function logRoutes(app: AppContext): Routes {
  const reader = new LogReader(app.sql);
  const routes = new Routes(app, import.meta.path).file("/log/witnessed", async () => text(await readWitnessed(app.sql)));
  for (const prefix of ["/log", "/log/:number"])
    routes
      .file(`${prefix}/checkpoint`, async (_, { number }) => text((await reader.log(number))?.note))
      .file(`${prefix}/key`, async (_, { number }) => {
        const log = await reader.log(number);
        return text(log && `${log.key}\n`);
      })
      // What a log begins with concerns everybody: whose it is, and which one it follows.
      .file(`${prefix}/start`, async (_, { number }) => {
        const log = await reader.log(number);
        const start = log && (await readProofs(app.sql, "start", [log.origin])).get(log.origin);
        return start ? new Response(written(start), { headers: { ...JSON_TYPE, ...NEVER } }) : notThere();
      })
      .file(`${prefix}/tile/*`, async (_, { number, "*": path = "" }) => {
        const tile = parseTilePath(path);
        const bytes = tile && (await reader.tile(tile, number));
        return bytes ? new Response(new Uint8Array(bytes), { headers: { ...BYTES, ...FOR_EVER } }) : notThere();
      });
  return routes;
}
