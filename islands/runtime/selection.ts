import { signal } from "@preact/signals-react";

/** What a person has chosen on a trading screen; every island of the page follows it. Never written while rendering. */
export const selectedSymbol = signal("EUR/USD");
