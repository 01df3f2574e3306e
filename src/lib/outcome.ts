/** What came of one request among several that were decided in one call: the request as it stands now, or why not. */
export type Outcome<T> = { id: string; done: T; code: null; message: null } | { id: string; done: null; code: string; message: string };
