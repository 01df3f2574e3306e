import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";

export type Choice = { id: string; label: string };
type Search = { tab: string; q: string; status: string; label: string };
type Statuses = { tab: string; q: string; status: string; choices: readonly Choice[]; label: string };

/** The search of a list: a plain form, so that what is shown has an address of its own. `/` goes to it. An empty `status` is the default one. */
export const SearchForm = ({ tab, q, status, label }: Search) => (
  <form method="get" action="/admin" role="search" className="flex min-w-0 flex-1 items-center gap-2 md:max-w-md">
    <input type="hidden" name="tab" value={tab} />
    {status ? <input type="hidden" name="status" value={status} /> : null}
    <div className="relative min-w-0 flex-1">
      <Icon name="search" className="pointer-events-none absolute left-2.5 top-3 size-5 text-soft md:top-2" />
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        defaultValue={q}
        maxLength={200}
        data-search=""
        className="block min-h-11 w-full rounded-control border border-control bg-surface pl-9 pr-3 text-base placeholder:text-soft hover:border-ink md:min-h-9 md:text-table"
      />
    </div>
    <button
      type="submit"
      className="inline-flex min-h-11 items-center rounded-control border border-control px-3 text-table font-medium hover:bg-sunken md:min-h-9"
    >
      Search
    </button>
  </form>
);

/** The states of a list as links; the first choice is the default and has no name in the address. */
export const StatusLinks = ({ tab, q, status, choices, label }: Statuses) => (
  <nav aria-label={label} className="-mx-1 flex max-w-full overflow-x-auto px-1">
    <ul className="flex gap-1">
      {choices.map(({ id, label: name }, place) => (
        <li key={id}>
          <a
            href={addressOf(tab, { q, status: place === 0 ? "" : id })}
            aria-current={id === status ? "true" : undefined}
            className={classes(
              "inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table no-underline md:min-h-9",
              id === status ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
            )}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

type Props = { tab: string; q: string; status: string; choices: readonly Choice[]; searchLabel: string; statusLabel: string };

/** Search and states of one list, side by side. */
export const Filters = ({ tab, q, status, choices, searchLabel, statusLabel }: Props) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
    <SearchForm tab={tab} q={q} status={status === choices[0]?.id ? "" : status} label={searchLabel} />
    <StatusLinks tab={tab} q={q} status={status} choices={choices} label={statusLabel} />
  </div>
);

/** The address of a list of the control panel; what is empty is left out. */
export function addressOf(tab: string, query: Record<string, string | null>): string {
  const search = new URLSearchParams({ tab });
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return `/admin?${search}`;
}

/** Back to the newest, on to the older. */
export function Pager({ tab, q, status, next, paged }: { tab: string; q: string; status: string; next: string | null; paged: boolean }) {
  if (!next && !paged) return null;
  const link = "inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-table text-accent hover:bg-accent-soft md:min-h-9";
  return (
    <nav aria-label="Pages" className="mt-2 flex justify-between">
      {paged ? (
        <a href={addressOf(tab, { q, status })} className={link}>
          <Icon name="chevronLeft" className="size-4" />
          Newest
        </a>
      ) : (
        <span />
      )}
      {next ? (
        <a href={addressOf(tab, { q, status, cursor: next })} className={link}>
          Older
          <Icon name="chevronRight" className="size-4" />
        </a>
      ) : null}
    </nav>
  );
}
