/** What a list of the back office is asked for, by the names of its address. */
export type ListQuery = Readonly<Record<string, string | undefined>>;

/** What an address leaves out, since it is so without being said. */
const UNSAID: Record<string, readonly string[]> = {
  status: ["all", "decided"],
  sort: ["-created", "wait"],
  kyc: ["all"],
  account: ["all"],
  side: ["all"],
  review: ["all"],
  view: ["positions"],
  state: ["waiting"],
  kind: ["all"],
  priority: ["all"],
  category: ["all"],
  assignee: ["all"],
};

/** The part of a query that an address shows: neither the number of rows nor defaults. */
export const said = (query: ListQuery): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (!value || name === "limit" || isUnsaid(query, name, value) ? [] : [[name, value] as [string, string]]));
/** What waits for a second administrator, and what traders object to, begins with the oldest, so there the newest is said. */
const isUnsaid = ({ status }: ListQuery, name: string, value: string) =>
  name === "sort" && (status === "waiting" || status === "disputes") ? value === "created" : UNSAID[name]?.includes(value);

/** The address of a list: `at` is its page with its tab (`/admin?tab=users`). An order or a filter begins at the first page again. */
export function addressOf(at: string, { cursor: _first, ...query }: ListQuery): string {
  const search = new URLSearchParams(said(query));
  return search.size > 0 ? `${at}&${search}` : at;
}

/** The next page of the same list. */
export const pageAt = (at: string, query: ListQuery, cursor: string): string => `${addressOf(at, query)}&cursor=${encodeURIComponent(cursor)}`;

/** The order that a press on a column's head asks for: upwards first, then downwards, and so on. */
export const orderAfter = (sort: string, order: string | undefined): string => (order === sort ? `-${sort}` : sort);

export const panelTab = (tab: string): string => `/admin?tab=${tab}`;
