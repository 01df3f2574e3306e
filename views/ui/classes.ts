/** Joins class names, leaving out what does not apply. Each must be written out in full: the style sheet is built from the text. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
