import type { Found } from "../../src/admin/schema_search";
import { SearchForm } from "../ui/staff/Filters";
import { EmptyState } from "../ui/States";
import { groupsOf } from "./search_words";

const AT = "/admin/search";

/** The search as a page, for who has no scripts, and for an address that is kept. */
export function SearchPage({ q, found }: { q: string; found: Found[] }) {
  const groups = groupsOf(q, found);
  return (
    <div className="flex w-full max-w-[60rem] flex-col gap-4 px-4 py-3 md:px-6">
      <h1 className="text-heading font-semibold">Search</h1>
      <div className="flex">
        <SearchForm at={AT} query={{ q }} label="People, accounts, requests, tickets, positions, hashes" />
      </div>
      {q && found.length === 0 ? (
        <EmptyState icon="search" title="Nothing found">
          Names in either order, addresses, amounts, account numbers, ids and hashes are searched.
        </EmptyState>
      ) : null}
      {groups.map(({ name, hits }) => (
        <section key={name} aria-label={name}>
          <h2 className="text-product font-semibold">{name}</h2>
          <ul className="border-t border-line">
            {hits.map(({ id, title, detail, href }) => (
              <li key={id} data-row={id} tabIndex={-1} className="border-b border-line">
                <a
                  href={href}
                  data-opens=""
                  className="flex min-h-11 flex-wrap items-baseline gap-x-3 py-2 text-ink no-underline hover:bg-sunken/60 md:min-h-10"
                >
                  <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
                  <span className="text-note text-soft [overflow-wrap:anywhere]">{detail}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
