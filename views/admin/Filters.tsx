import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";

type Choice = { id: string; label: string };
type Props = { tab: string; q: string; status: string; choices: readonly Choice[]; searchLabel: string; statusLabel: string };

/** Search and status of a list: a plain form and plain links, so that what is shown has an address of its own. `/` goes to the search. */
export function Filters({ tab, q, status, choices, searchLabel, statusLabel }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <form method="get" action="/admin" role="search" className="flex min-w-0 flex-1 items-center gap-2 md:max-w-md">
        <input type="hidden" name="tab" value={tab} />
        {status === choices[0]?.id ? null : <input type="hidden" name="status" value={status} />}
        <div className="relative min-w-0 flex-1">
          <Icon name="search" className="pointer-events-none absolute left-2.5 top-3 size-5 text-soft md:top-2" />
          <input
            type="search"
            name="q"
            id="admin-search"
            aria-label={searchLabel}
            placeholder={searchLabel}
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
      <nav aria-label={statusLabel} className="-mx-1 flex max-w-full overflow-x-auto px-1">
        <ul className="flex gap-1">
          {choices.map(({ id, label }) => (
            <li key={id}>
              <a
                href={addressOf(tab, { q, status: id === choices[0]?.id ? "" : id })}
                aria-current={id === status ? "true" : undefined}
                className={classes(
                  "inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table no-underline md:min-h-9",
                  id === status ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
                )}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

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
