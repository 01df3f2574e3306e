/** Which layout the trading screen has; between the two stands one page of parts. Style sheet and scripts ask the same. */
export const WORKSTATION = "(min-width:75rem)";
/** Upright, or on its side. */
export const PHONE = "(max-width:47.99rem),(max-width:63.99rem) and (max-height:30rem)";
