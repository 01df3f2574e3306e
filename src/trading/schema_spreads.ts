import { answer, endpoint } from "../lib/endpoint";
import { idParams } from "../lib/shapes";

/** How wide a spread is, in pips as decimal text: at least so many, or, fixed, exactly. */
export type Width = { pips: string; fixed: boolean };
/** From when on another holds for what opens, and until when what was open by then is closed by the one before; null: at once. */
export type LaterSpread = Width & { since: string; heldUntil: string | null };
/** A pair's spread in an account, its instrument's mark-up among it. `heldUntil`: what was open when it came is closed by the one before until then. */
export type PairSpread = Width & { symbol: string; heldUntil: string | null; later: LaterSpread[] };

/** What each pair costs in one of one's own accounts, in the order of lists. */
export const getSpreads = endpoint("GET /api/trading-accounts/:id/spreads", { params: idParams, answer: answer<PairSpread[]>() });
