import type { Deed } from "../identity/commands_signatures";
import { conflict } from "../lib/refusal";
import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { refused } from "./commands";
import { type Change, changedListing, setIn, staffInstrument, tell } from "./commands_instruments";
import type { StaffInstrument } from "./schema_instruments";

/** What of an instrument's terms takes a second person, where the house says so. */

type Asked = Change & { symbol: string };
type Term = "markup" | "marginPercent" | "marginSteps";
type Said = Partial<Record<Term, unknown>>;
/** Nothing and none are the same, and so are 0.5 and 0.50. */
const plain = (value: unknown) => JSON.stringify(typeof value === "string" ? Number(value) : (value ?? 0));
const named = (terms: Said, names: readonly Term[]): Said => Object.fromEntries(names.map((name) => [name, terms[name] ?? null]));

export function instrumentDeeds(app: AppContext, market: Market) {
  const of = (deed: "costs" | "margin", names: readonly Term[]): Deed<Asked, StaffInstrument> => ({
    kind: `instrument.${deed}`,
    deed,
    permission: "instruments.change",
    object: ({ symbol }) => symbol,
    title: ({ symbol }) => `${deed === "costs" ? "Mark-up" : "Margin"} of ${symbol}`,
    before: async (sql, { symbol }) => {
      const now = await staffInstrument(sql, symbol);
      return { version: now.version, ...named(now, names) };
    },
    after: (body, before) => ({
      ...before,
      ...named(
        body,
        names.filter((name) => body[name] !== undefined),
      ),
    }),
    seen: async (sql, body) => ({ ...body, version: body.version ?? (await staffInstrument(sql, body.symbol)).version }),
    fit: async (sql, { symbol, version }) => {
      if ((await staffInstrument(sql, symbol)).version !== version)
        throw conflict("This instrument was changed meanwhile. Look at it again before you change it.");
    },
    counts: (body, before) => names.some((name) => body[name] !== undefined && plain(body[name]) !== plain((before as Said)[name])),
    run: async (tx, act, { symbol, ...body }) => {
      const listing = await changedListing(market, await staffInstrument(tx, symbol), body);
      // What was to hold from an instant that is over by now holds at once.
      const effectiveAt = body.effectiveAt && Date.parse(body.effectiveAt) > Date.now() ? body.effectiveAt : null;
      await refused(() => setIn(tx, act, symbol, { ...body, effectiveAt }, listing));
      return staffInstrument(tx, symbol);
    },
    told: () => void tell(app),
  });
  return { costs: of("costs", ["markup"]), margin: of("margin", ["marginPercent", "marginSteps"]) };
}
