import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";

type Props = {
  search: string;
  onSearch: (text: string) => void;
  /** Prices come every few seconds only. */
  saving: boolean;
  onSaving: (on: boolean) => void;
  /** How many were found; null while nothing is searched. */
  count: number | null;
  /** Instruments stand as cards, not as a dense list. */
  cards: boolean;
  onCards: (on: boolean) => void;
};

/** Over a watchlist: the search, how it is shown, and the choice of fewer updates. */
export const WatchTools = ({ search, onSearch, saving, onSaving, count, cards, onCards }: Props) => (
  <div className="js-only mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
    <div className="relative min-w-40 flex-1 sm:max-w-72">
      <Icon name="search" className="pointer-events-none absolute left-3 top-3 size-5 text-soft" />
      <input
        id="watch-search"
        type="search"
        aria-label="Search instruments"
        placeholder="Search"
        autoComplete="off"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onSearch("")}
        className="block min-h-11 w-full rounded-control border border-control bg-surface pl-10 pr-3 text-base text-ink placeholder:text-soft hover:border-ink md:text-[0.9375rem]"
      />
    </div>
    <div role="group" aria-label="Show as" className="flex">
      {([false, true] as const).map((each) => (
        <button
          key={String(each)}
          type="button"
          aria-pressed={cards === each}
          onClick={() => onCards(each)}
          className={classes(
            "inline-flex min-h-11 items-center rounded-control px-2.5 text-table",
            cards === each ? "bg-accent-soft font-semibold text-accent" : "text-soft hover:text-ink",
          )}
        >
          {each ? "Cards" : "List"}
        </button>
      ))}
    </div>
    <label htmlFor="data-saver" className="inline-flex min-h-11 items-center gap-2 text-table md:min-h-8">
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
