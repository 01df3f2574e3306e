import { Icon } from "../ui/Icon";

type Props = {
  search: string;
  onSearch: (text: string) => void;
  /** Prices come every few seconds only. */
  saving: boolean;
  onSaving: (on: boolean) => void;
  /** How many were found; null while nothing is searched. */
  count: number | null;
};

/** Over a watchlist: the search, and the choice of fewer updates. */
export const WatchTools = ({ search, onSearch, saving, onSaving, count }: Props) => (
  <div className="js-only mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
    <div className="relative w-full sm:w-72">
      <Icon name="search" className="pointer-events-none absolute left-3 top-3 size-5 text-soft" />
      <input
        id="watch-search"
        type="search"
        aria-label="Search instruments"
        placeholder="Search instruments"
        autoComplete="off"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onSearch("")}
        className="block min-h-11 w-full rounded-control border border-control bg-surface pl-10 pr-3 text-base text-ink placeholder:text-soft hover:border-ink md:text-[0.9375rem]"
      />
    </div>
    <label htmlFor="data-saver" className="inline-flex min-h-11 items-center gap-2 text-table">
      <input
        id="data-saver"
        type="checkbox"
        checked={saving}
        onChange={(event) => onSaving(event.target.checked)}
        className="size-4 shrink-0 accent-[var(--c-accent)]"
      />
      Data saver: prices every 3 seconds
    </label>
    <p role="status" className="ml-auto text-table text-soft">
      {count === null ? "" : `${count} found`}
    </p>
  </div>
);
