import { classes } from "../classes";
import { Icon } from "../Icon";
import { addressOf, type ListQuery, pageAt, said } from "./address";

export type Choice = { id: string; label: string };

const CONTROL = "min-h-11 rounded-control border border-control bg-surface text-base hover:border-ink md:min-h-9 md:text-table";

/** What of the address a form keeps beside its own fields. */
const Kept = ({ at, query, own }: { at: string; query: ListQuery; own: readonly string[] }) => {
  const base = [...new URLSearchParams(at.split("?")[1] ?? "")];
  const rest = said(query).filter(([name]) => name !== "cursor" && !own.includes(name));
  return [...base, ...rest].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
};

const TOOL = "inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-control px-3 text-table no-underline md:min-h-9";

type Search = { at: string; query: ListQuery; label: string };

/** The search of a list: a plain form, so that what is shown has an address of its own. `/` goes to it. */
export const SearchForm = ({ at, query, label }: Search) => (
  <form method="get" action={at.split("?")[0]} role="search" className="flex min-w-0 flex-1 basis-64 items-center gap-2 md:max-w-md">
    <Kept at={at} query={query} own={["q"]} />
    <div className="relative min-w-0 flex-1">
      <Icon name="search" className="pointer-events-none absolute left-2.5 top-3 size-5 text-soft md:top-2" />
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        defaultValue={query.q}
        maxLength={200}
        data-search=""
        className={classes(CONTROL, "block w-full pl-9 pr-3 placeholder:text-soft")}
      />
    </div>
    <SubmitFilter>Search</SubmitFilter>
  </form>
);

const SubmitFilter = ({ children }: { children: string }) => (
  <button
    type="submit"
    className="inline-flex min-h-11 items-center rounded-control border border-control px-3 text-table font-medium hover:bg-sunken md:min-h-9"
  >
    {children}
  </button>
);

type Links = { at: string; query: ListQuery; name?: string; choices: readonly Choice[]; label: string };

/** The states of a list as links. */
export const StatusLinks = ({ at, query, name = "status", choices, label }: Links) => (
  <nav aria-label={label} className="-mx-1 flex max-w-full overflow-x-auto px-1">
    <ul className="flex gap-1">
      {choices.map(({ id, label: text }) => (
        <li key={id}>
          <a
            href={addressOf(at, { ...query, [name]: id })}
            aria-current={id === query[name] ? "true" : undefined}
            className={classes(
              "inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-3 text-table no-underline md:min-h-9",
              id === query[name] ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink",
            )}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

type FieldOf = { name: string; label: string } & ({ choices: readonly Choice[] } | { type: "text" | "date"; placeholder?: string });
/** The days of a list, in UTC and both included. */
export const dayFields = (from = "From"): readonly FieldOf[] => [
  { name: "from", label: `${from} (UTC)`, type: "date" },
  { name: "to", label: "to", type: "date" },
];
type Form = { at: string; query: ListQuery; fields: readonly FieldOf[]; label: string };

/** The same behind one word, so that a list's tools stand in one line; a number says how many are set. */
export function FilterMenu({ at, query, fields, label }: Form) {
  const set = said(query).filter(([name]) => fields.some((field) => field.name === name)).length;
  return (
    <details data-menu="" className="md:relative">
      <summary className={classes(TOOL, set > 0 ? "bg-sunken font-semibold text-ink" : "text-soft hover:text-ink")}>
        <Icon name="sliders" className="size-4" />
        <span>
          Filter<span className="sr-only">{`: ${label}`}</span>
        </span>
        {set > 0 ? (
          <span className="rounded-full bg-accent-soft px-2 text-note tabular-nums text-accent">
            {set}
            <span className="sr-only"> set</span>
          </span>
        ) : null}
      </summary>
      <div className="absolute left-0 top-full z-20 mt-1 max-w-[min(48rem,90vw)] rounded-card border border-line bg-surface p-3 shadow-raised max-md:inset-x-4 max-md:max-w-none max-md:top-auto md:w-max">
        <FilterForm at={at} query={query} fields={fields} label={label} />
      </div>
    </details>
  );
}

/** Filters that need more room than links: a plain form of small fields. */
export const FilterForm = ({ at, query, fields, label }: Form) => (
  <form method="get" action={at.split("?")[0]} aria-label={label} className="flex flex-wrap items-end gap-2">
    <Kept at={at} query={query} own={fields.map(({ name }) => name)} />
    {fields.map((field) => (
      <label key={field.name} className="flex min-w-0 flex-col gap-0.5 text-note text-soft max-md:flex-1 max-md:basis-32">
        {field.label}
        {"choices" in field ? (
          <select name={field.name} defaultValue={query[field.name]} className={classes(CONTROL, "max-w-full px-2 text-ink max-md:w-full")}>
            {field.choices.map(({ id, label: text }) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </select>
        ) : (
          <input
            type={field.type}
            name={field.name}
            defaultValue={query[field.name]}
            placeholder={field.placeholder}
            maxLength={field.type === "text" ? 200 : undefined}
            className={classes(CONTROL, "w-full px-2 text-ink placeholder:text-soft", field.type === "text" ? "md:w-44" : "md:w-36")}
          />
        )}
      </label>
    ))}
    <SubmitFilter>Filter</SubmitFilter>
  </form>
);

/** The whole list, as it is searched and sorted, as a file for a spreadsheet. `path` is the call that lists it. */
export const ExportLink = ({ path, query }: { path: string; query: ListQuery }) => (
  <a
    href={`${path}?${new URLSearchParams([["format", "csv"], ...Object.entries(query).flatMap(([name, value]) => (value && name !== "limit" && name !== "cursor" ? [[name, value]] : []))])}`}
    download=""
    className="inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-table text-accent no-underline hover:bg-accent-soft md:min-h-9"
  >
    <Icon name="download" className="size-4" />
    Export CSV
  </a>
);

/** Back to the first page, on to the next. */
export function Pager({ at, query, next }: { at: string; query: ListQuery; next: string | null }) {
  if (!next && !query.cursor) return null;
  const link = "inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-table text-accent no-underline hover:bg-accent-soft md:min-h-9";
  const byTime = ["-created", "-decided"].includes(query.sort ?? "-created");
  return (
    <nav aria-label="Pages" className="mt-2 flex justify-between">
      {query.cursor ? (
        <a href={addressOf(at, query)} className={link}>
          <Icon name="chevronLeft" className="size-4" />
          {byTime ? "Newest" : "First page"}
        </a>
      ) : (
        <span />
      )}
      {next ? (
        <a href={pageAt(at, query, next)} className={link}>
          {byTime ? "Older" : "Next page"}
          <Icon name="chevronRight" className="size-4" />
        </a>
      ) : null}
    </nav>
  );
}
