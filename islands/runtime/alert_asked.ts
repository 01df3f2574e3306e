import { signal } from "@preact/signals-react";

/** The alert that somebody asks to set; `price` is where its dialog begins. Null while nobody does. */
export const alertAsked = signal<{ symbol: string; price?: string } | null>(null);
/** Asks for the dialog that sets an alert, which AlertHost opens. */
export const askAlert = (symbol: string, price?: string) => void (alertAsked.value = price === undefined ? { symbol } : { symbol, price });
