/** How texts of the operator's are read, of pages and of letters: nothing in them is HTML. */
export const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true } as const;
