import { displayPrice } from "../../src/lib/money";

/** A text in which decimals stand as they are kept, for the eye: "27320.00 EUR" → "27,320.00 EUR". */
export const groupedText = (text: string): string => text.replace(/\b\d{4,}(?=\.\d)/g, (whole) => displayPrice(whole, 0));
