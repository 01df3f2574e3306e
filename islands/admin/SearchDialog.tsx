import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Found, searchAll } from "../../src/admin/schema_search";
import { groupsOf, type Hit } from "../../views/admin/search_words";
import { classes } from "../../views/ui/classes";
import { Dialog } from "../../views/ui/Dialog";
import { Icon } from "../../views/ui/Icon";
import { ApiError, call } from "../wire/api";

/** Who types quickly asks for the whole word alone, in ms. */
const REST_MS = 60;

type Answer = { q: string; found: Found[]; fault: string | null };
const NOTHING: Answer = { q: "", found: [], fault: null };

/** What the words found, the newest answer alone; `q` of it says to which words. */
function useFound(q: string): Answer {
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  useEffect(() => {
    if (q === "") return;
    let here = true;
    const timer = setTimeout(() => {
      call(searchAll, undefined, { query: { q } })
        .then((found) => here && setAnswer({ q, found, fault: null }))
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          if (here) setAnswer({ q, found: [], fault: error.message });
        });
    }, REST_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [q]);
  return q === "" ? NOTHING : answer;
}

const follow = ({ href }: Hit) => location.assign(href);
/** Whom a command is about is written after it. */
const goesOn = ({ href }: Hit) => /^\/admin\/search\?q=(\w+)\+$/.exec(href)?.[1] ?? null;

/** One search over everything that staff decide about, and the panel's commands: arrows choose, Enter opens. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const q = text.trim();
  const { q: answered, found, fault } = useFound(q);
  const isCurrent = answered === q;
  const groups = groupsOf(q, isCurrent ? found : []);
  const hits = groups.flatMap((group) => group.hits);
  const chosen = hits[Math.min(at, hits.length - 1)] ?? null;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const pick = (hit: Hit) => {
    const command = goesOn(hit);
    if (command === null) return follow(hit);
    setText(`${command} `);
    setAt(0);
    field.current?.focus();
  };
  /** Enter before the answer is there: opens the first of it, unless other words were written meanwhile. */
  const pickFirst = async () => {
    const hit = groupsOf(q, await call(searchAll, undefined, { query: { q } }).catch(() => []))[0]?.hits[0];
    if (hit && field.current?.value.trim() === q) pick(hit);
  };
  useEffect(() => {
    const row = chosen && document.getElementById(`hit-${chosen.id}`);
    const box = row?.closest("[role=listbox]");
    if (!row || !box) return;
    // The list alone: `scrollIntoView` would move the page under the dialog, too.
    const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
  }, [chosen]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) setAt((Math.min(at, hits.length - 1) + step + hits.length) % hits.length);
    else if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    else if (!isCurrent) void pickFirst();
    else if (chosen) pick(chosen);
    event.preventDefault();
  };
  return (
    <Dialog id="search" title="Search everything" open wide onClose={onClose}>
      <div className="flex flex-col gap-3">
        <div className="relative">
          <Icon name="search" className="pointer-events-none absolute left-3 top-3 size-5 text-soft" />
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label="Search everything"
            aria-expanded="true"
            aria-controls="search-hits"
            aria-activedescendant={chosen ? `hit-${chosen.id}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck="false"
            placeholder="Name, address, amount, account, hash, or a command"
            maxLength={500}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={press}
            className="block min-h-11 w-full rounded-control border border-control bg-surface pl-10 pr-3 text-base placeholder:text-soft"
          />
        </div>
        <p role="status" className="min-h-5 text-note text-soft">
          {fault && isCurrent
            ? fault
            : !isCurrent
              ? "Searching…"
              : q && found.length === 0
                ? hits.length === 0
                  ? "Nothing found."
                  : "Only commands found."
                : q
                  ? `${found.length} found`
                  : ""}
        </p>
        <div id="search-hits" role="listbox" aria-label="Found" className="-mx-2 h-[50dvh] overflow-y-auto" tabIndex={-1}>
          {groups.map(({ name, hits: own }) => (
            <div key={name} role="group" aria-label={name}>
              <div aria-hidden="true" className="px-2 pb-0.5 pt-2 text-note font-medium text-soft">
                {name}
              </div>
              {own.map((hit) => (
                <div
                  key={hit.id}
                  id={`hit-${hit.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={hit === chosen}
                  onClick={() => pick(hit)}
                  onPointerMove={() => setAt(hits.indexOf(hit))}
                  className={classes(
                    "flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-3 rounded-control px-2 py-2 md:min-h-9",
                    hit === chosen && "bg-accent-soft",
                  )}
                >
                  <span className="font-medium [overflow-wrap:anywhere]">{hit.title}</span>
                  <span className="text-note text-soft [overflow-wrap:anywhere]">{hit.detail}</span>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
