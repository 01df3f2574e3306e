const ESCAPES: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that can stand inside a script element: nothing in it can end the element or start a comment. */
export const scriptJson = (value: unknown): string => JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] as string);
