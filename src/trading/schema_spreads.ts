/** How wide a spread is, in pips as decimal text: at least so many, or, fixed, exactly. */
export type Width = { pips: string; fixed: boolean };
/** From when on another holds for what opens, and until when what was open by then is closed by the one before; null: at once. */
export type LaterSpread = Width & { since: string; heldUntil: string | null };
/** A pair's spread in an account, its instrument's mark-up among it. `heldUntil`: what was open when it came is closed by the one before until then. */
export type PairSpread = Width & { symbol: string; heldUntil: string | null; later: LaterSpread[] };
