import { basename } from "node:path";

/** Floors from the ground up; a domain imports itself and lower floors only, in TypeScript as in SQL. */
export const FLOORS = [
  ["lib"],
  ["config"],
  ["platform"],
  ["proof"],
  ["ledger", "market", "audit", "mail"],
  ["identity"],
  ["accounts", "notifications", "texts", "watchlists"],
  ["alerts", "compliance"],
  ["funding", "trading", "support", "visitors"],
  ["integrity"],
  ["content", "portal", "admin", "demo"],
  ["app", "production"],
  ["commands", "serve"],
  ["main"],
];

/** `src/market/feed.ts` is of market, `src/app.ts` of app, `sql/functions/trading_orders.sql` of trading. */
export const homeOf = (path: string): string =>
  path.startsWith("sql/") ? (/(\w+?)(?:_\w+)?\.sql$/.exec(basename(path))?.[1] ?? "") : basename(path.split("/")[1] ?? "").replace(/\.tsx?$/, "");

export const floorOf = (home: string): number => FLOORS.findIndex((floor) => floor.includes(home));

export const mayUse = (home: string, other: string): boolean => home === other || floorOf(home) > floorOf(other);
