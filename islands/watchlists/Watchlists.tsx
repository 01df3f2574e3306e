import { useSignals } from "@preact/signals-react/runtime";
import { type SubmitEvent, useEffect, useState } from "react";
import { offeredInstruments } from "../../src/market/rules_terms";
import type { Watched } from "../../src/trading/rules_prices";
import { LONGEST_NAME, MOST_LISTS, MOST_SYMBOLS, type Watchlist } from "../../src/watchlists/schema";
import { Button } from "../../views/ui/Button";
import { Field, SelectField } from "../../views/ui/Field";
import { EmptyState, Notice, Skeleton } from "../../views/ui/States";
import { WatchItems } from "../market/Watchlist";
import { ApiError } from "../wire/api";
import { toastWith } from "../wire/toast_press";
import { Sortable } from "./Sortable";
import { book, fetchWatchlists, followWatchlists, keepWatchlists, putBack } from "./store";

type Props = {
  items: Watched[];
  chosen: string;
  here: boolean;
  /** As the page was asked for. */ cards: boolean;
  /** Offers to set an alert. */ onAlert: (symbol: string) => void;
};

/** Which list this device shows. */
const CHOICE = "watchlist";
const chosenList = () => {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
};
function chooseList(id: string) {
  try {
    localStorage.setItem(CHOICE, id);
  } catch {
    // The choice then lasts until the page is left.
  }
}

/** A person's own lists of instruments, the same on every device. */
export function Watchlists({ items, chosen, here, cards: first, onAlert }: Props) {
  useSignals();
  const [current, setCurrent] = useState(() => (here ? chosenList() : null));
  /** Which list is edited, and which is renamed: on another device it may be deleted meanwhile, and another one stands in its place. */
  const [edited, setEdited] = useState<string | null>(null);
  const [naming, setNaming] = useState<{ renamed: string | null } | null>(null);
  const [failed, setFailed] = useState(false);
  /** The list that was moved last. */
  const [moved, setMoved] = useState<string | null>(null);
  /** Its button went with the list, or with the toast: the keyboard goes on where lists are chosen. */
  const [lost, setLost] = useState<object | null>(null);
  useEffect(() => {
    if (lost) (document.getElementById("watchlist") ?? document.getElementById("watchlist-new"))?.focus();
  }, [lost]);
  useEffect(followWatchlists, []);
  const read = () =>
    fetchWatchlists().then(
      () => setFailed(false),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        setFailed(true);
      },
    );
  useEffect(() => void read(), []);

  const lists = here ? book.value?.lists : undefined;
  if (!lists)
    return failed ? (
      <Notice kind="error" title="Your watchlists could not be loaded">
        <Button variant="secondary" onClick={() => void read()}>
          Try again
        </Button>
      </Notice>
    ) : (
      <>
        <noscript>
          <EmptyState title="Your own watchlists need JavaScript">The lists of forex pairs and coins do not.</EmptyState>
        </noscript>
        <div role="status" aria-label="Loading your watchlists" className="js-only flex flex-col gap-3">
          <Skeleton className="h-11 w-72" />
          <Skeleton className="h-40 w-full" />
        </div>
      </>
    );

  const list = lists.find(({ id }) => id === current) ?? lists[0] ?? null;
  const editing = list !== null && edited === list.id;
  const pick = (id: string) => {
    chooseList(id);
    setCurrent(id);
    if (editing) setEdited(id);
  };
  const change = (next: Watchlist) => keepWatchlists(lists.map((each) => (each.id === next.id ? next : each)));
  const name = (words: string) => {
    if (naming?.renamed && list) change({ ...list, name: words });
    else {
      const made = { id: crypto.randomUUID(), name: words, symbols: [] };
      keepWatchlists([...lists, made]);
      pick(made.id);
      setEdited(made.id);
    }
    setNaming(null);
  };
  const remove = () => {
    if (!list) return;
    const place = lists.indexOf(list);
    keepWatchlists(lists.filter((each) => each !== list));
    setEdited(null);
    setNaming(null);
    setLost({});
    const restore = () => {
      putBack(list, place);
      pick(list.id);
      setLost({});
    };
    toastWith({ title: `${list.name} was deleted` }, [{ label: "Undo: put it back", act: restore }]);
  };
  const shift = (by: 1 | -1) => {
    if (!list) return;
    const at = lists.indexOf(list);
    const others = lists.filter((each) => each !== list);
    const to = at + by;
    keepWatchlists([...others.slice(0, to), list, ...others.slice(to)]);
    setMoved(list.id);
    // At an end its button goes no further, and would drop the focus to nowhere.
    if (to === 0 || to === others.length) document.getElementById("watchlist")?.focus();
  };
  const form =
    naming && (naming.renamed ?? list?.id) === list?.id ? (
      <NameForm
        key={naming.renamed ?? "new"}
        first={naming.renamed ? (list?.name ?? "") : ""}
        taken={lists.filter(({ id }) => id !== naming.renamed).map((each) => each.name.toLowerCase())}
        onName={name}
        onCancel={() => setNaming(null)}
      />
    ) : null;

  if (!list)
    return (
      form ?? (
        <EmptyState
          icon="layers"
          title="No watchlist yet"
          action={
            <Button id="watchlist-new" onClick={() => setNaming({ renamed: null })}>
              New list
            </Button>
          }
        >
          Put the instruments that you follow on lists of your own, in your order. They are the same on every device.
        </EmptyState>
      )
    );
  const byName = new Map(items.map((item) => [item.symbol, item]));
  const shown = list.symbols.flatMap((symbol) => byName.get(symbol) ?? []);
  const at = lists.indexOf(list);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-full sm:w-72">
          <SelectField id="watchlist" label="Watchlist" value={list.id} onChange={({ target }) => pick(target.value)}>
            {lists.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </SelectField>
        </div>
        <Button variant="secondary" aria-pressed={editing} onClick={() => setEdited(editing ? null : list.id)}>
          {editing ? "Done" : "Edit list"}
        </Button>
        <Button variant="secondary" disabled={lists.length >= MOST_LISTS} onClick={() => setNaming({ renamed: null })}>
          New list
        </Button>
      </div>
      {form}
      {editing ? (
        <div className="flex max-w-2xl flex-col gap-3">
          <div className="flex flex-wrap gap-2">
            <Button size="small" variant="secondary" onClick={() => setNaming({ renamed: list.id })}>
              Rename
            </Button>
            <Button size="small" variant="secondary" disabled={at === 0} onClick={() => shift(-1)}>
              Move list up
            </Button>
            <Button size="small" variant="secondary" disabled={at === lists.length - 1} onClick={() => shift(1)}>
              Move list down
            </Button>
            <Button size="small" variant="danger" onClick={remove}>
              Delete list
            </Button>
          </div>
          {moved === list.id ? <p role="status" className="text-note text-soft">{`${list.name} is ${at + 1} of ${lists.length}.`}</p> : null}
          <AddSymbol symbols={list.symbols} onAdd={(symbol) => change({ ...list, symbols: [...list.symbols, symbol] })} />
          {list.symbols.length > 0 ? (
            <Sortable label={`Order of ${list.name}`} symbols={list.symbols} onChange={(symbols) => change({ ...list, symbols })} />
          ) : (
            <p className="text-soft">This list is empty. Add an instrument above.</p>
          )}
        </div>
      ) : shown.length === 0 ? (
        <EmptyState icon="plus" title="This list is empty" action={<Button onClick={() => setEdited(list.id)}>Add instruments</Button>} />
      ) : (
        <WatchItems label={list.name} items={shown} {...{ chosen, here, first, onAlert }} />
      )}
    </div>
  );
}

/** Adds what is chosen at once, and stays for the next. */
function AddSymbol({ symbols, onAdd }: { symbols: string[]; onAdd: (symbol: string) => void }) {
  const left = offeredInstruments().filter(({ symbol }) => !symbols.includes(symbol));
  const full = symbols.length >= MOST_SYMBOLS || left.length === 0;
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const symbol = String(new FormData(event.currentTarget).get("symbol") ?? "");
        if (symbol) onAdd(symbol);
      }}
    >
      <div className="w-full sm:w-72">
        <SelectField id="watch-add" name="symbol" label="Add an instrument" disabled={full}>
          {left.map(({ symbol, name }) => (
            <option key={symbol} value={symbol}>
              {`${symbol} ${name}`}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" variant="secondary" disabled={full}>
        Add
      </Button>
    </form>
  );
}

type NameProps = { first: string; /** Names of the other lists, in lower case. */ taken: string[]; onName: (name: string) => void; onCancel: () => void };

function NameForm({ first, taken, onName, onCancel }: NameProps) {
  const [error, setError] = useState<string | undefined>();
  useEffect(() => document.querySelector<HTMLInputElement>("#watchlist-name")?.select(), []);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (!name) setError("Name the list.");
    else if (taken.includes(name.toLowerCase())) setError("Another list has this name.");
    else onName(name);
  };
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-wrap items-start gap-2">
      <div className="w-full sm:w-72">
        <Field id="watchlist-name" name="name" label="Name of the list" defaultValue={first} maxLength={LONGEST_NAME} autoComplete="off" error={error} />
      </div>
      <div className="flex gap-2 sm:mt-[1.875rem]">
        <Button type="submit">Save</Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
