import { useState } from "react";
import { may } from "../../src/lib/may";
import { deleteFilter, listFilters, saveFilter, type SavedFilter } from "../../src/admin/schema_queues";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { Field } from "../../views/ui/Field";
import { Icon } from "../../views/ui/Icon";
import { type ListQuery, panelTab, said } from "../../views/ui/staff/address";
import { refreshLists, useLive } from "../runtime/live_list";
import { island } from "../runtime/island";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { ActionDialog } from "./ActionDialog";

/** `queue`: the tab; `query`: what its list is asked for now; `at`: the list's address, where it is not that of the tab. */
type Props = { queue: string; query: ListQuery; filters: SavedFilter[]; at?: string };

/** What an address says of a list, in one order, so that the same filter is the same text. */
const textOf = (query: ListQuery) => new URLSearchParams(said({ ...query, cursor: undefined }).toSorted(([a], [b]) => (a < b ? -1 : 1))).toString();

/** The filters of a list that its reader gave a name: each is a link. What is filtered now can be kept beside them. */
export function SavedFilters({ queue, query, filters, at = panelTab(queue) }: Props) {
  const { value } = useLive(filters, () => call(listFilters, undefined, { query: { queue } }), ["setting"]);
  const [isOpen, setOpen] = useState(false);
  const now = textOf(query);
  const current = value.find((filter) => filter.query === now) ?? null;
  const forget = async ({ id, name }: SavedFilter) => {
    const done = await attempt("Error", () => call(deleteFilter, undefined, { params: { id } }).then(() => true));
    if (done) toast({ title: "Filter deleted", description: name });
    await refreshLists();
  };
  return (
    <div role="group" aria-label="Saved filters" className="js-only flex min-w-0 max-w-full flex-wrap items-center gap-1">
      {value.map((filter) => (
        <span
          key={filter.id}
          className={classes(
            "inline-flex items-center rounded-full border",
            filter === current ? "border-accent bg-accent-soft" : "border-line hover:bg-sunken",
          )}
        >
          <a
            href={`${at}&${filter.query}`}
            aria-current={filter === current ? "true" : undefined}
            className="inline-flex min-h-11 max-w-48 items-center py-1 pl-3 text-table text-ink no-underline md:min-h-8"
          >
            <span className="truncate">{filter.name}</span>
          </a>
          {may("panel.own") ? (
            <button
              type="button"
              aria-label={`Delete the filter ${filter.name}`}
              onClick={() => void forget(filter)}
              className="inline-flex min-h-11 w-9 items-center justify-center rounded-full text-soft hover:text-ink md:min-h-8"
            >
              <Icon name="close" className="size-3.5" />
            </button>
          ) : null}
        </span>
      ))}
      {now && !current && may("panel.own") ? (
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          Save this filter
        </Button>
      ) : null}
      {isOpen ? (
        <ActionDialog
          id="save-filter"
          title="Save this filter"
          consequence="It stands beside the search from now on, for you alone, on each of your devices."
          schema={saveFilter.body}
          names={["name", "queue", "query"]}
          fields={(messages) => (
            <>
              <Field id="filter-name" name="name" label="Name" autoComplete="off" maxLength={60} error={messages.name ?? messages.query} />
              <input type="hidden" name="queue" value={queue} />
              <input type="hidden" name="query" value={now} />
            </>
          )}
          submit="Save"
          busy="Saving..."
          failed="Not saved"
          send={async (body) => {
            const saved = await call(saveFilter, body);
            toast({ title: "Filter saved", description: saved.name });
          }}
          onClose={() => {
            setOpen(false);
            void refreshLists();
          }}
        />
      ) : null}
    </div>
  );
}

export default island("SavedFilters", SavedFilters);
