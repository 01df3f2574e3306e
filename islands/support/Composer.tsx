import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CannedAnswer } from "../../src/support/schema_inbox";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { Icon } from "../../views/ui/Icon";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { type About, filledIn, named, namedAt } from "./canned";

const MOST = 5000;
/** Ready answers that are shown at once, at most. */
const SHOWN = 8;

type Props = {
  id: string;
  label: string;
  text: string;
  write: (words: string) => void;
  error?: string | undefined;
  busy: boolean;
  canned: readonly CannedAnswer[];
  about: About;
  send: string;
  /** In a chat Enter sends; elsewhere it needs Ctrl, since an answer has several lines. */
  enterSends?: boolean;
  onSend: () => void;
  /** Sends, resolves, and opens the next one; not where there is no list to go on in. */
  onNext?: (() => void) | undefined;
  /** The keyboard goes back to the list. */
  onLeave?: (() => void) | undefined;
  /** Begins with the keyboard in it. */
  begins?: boolean;
  children?: ReactNode;
};

/** Where staff write an answer. A semicolon and some letters find a ready answer by its name. */
export function Composer(props: Props) {
  const { id, label, text, write, error, busy, canned, about, send, enterSends = false, onSend, onNext, onLeave, begins = false, children } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const moves = useRef<number | null>(null);
  const naming = caret === null ? null : namedAt(text, caret);
  const found = naming ? named(canned, naming.words).slice(0, SHOWN) : [];
  const isOpen = naming !== null && canned.length > 0;
  const chosen = found[Math.min(at, found.length - 1)] ?? null;
  useEffect(() => {
    if (begins) field.current?.focus();
  }, [begins]);
  // The caret stands behind what was put in.
  useLayoutEffect(() => {
    if (moves.current === null) return;
    field.current?.setSelectionRange(moves.current, moves.current);
    moves.current = null;
  });
  const take = (answer: CannedAnswer) => {
    if (!naming || caret === null) return;
    const words = filledIn(answer.body, about);
    write(text.slice(0, naming.from) + words + text.slice(caret));
    moves.current = naming.from + words.length;
    setCaret(null);
    field.current?.focus();
  };
  /** The same list for who has no semicolon at hand. */
  const offer = () => {
    const place = field.current?.selectionStart ?? text.length;
    const sign = /(^|\s)$/.test(text.slice(0, place)) ? ";" : " ;";
    write(text.slice(0, place) + sign + text.slice(place));
    moves.current = place + sign.length;
    setCaret(place + sign.length);
    setAt(0);
    field.current?.focus();
  };
  const walk = (by: number) => setAt((Math.min(at, found.length - 1) + by + found.length) % found.length);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const does = (act: () => void) => {
      event.preventDefault();
      act();
    };
    if (isOpen) {
      if (key === "Escape") return does(() => setCaret(null));
      if (chosen && (key === "ArrowDown" || key === "ArrowUp")) return does(() => walk(key === "ArrowDown" ? 1 : -1));
      if (chosen && (key === "Enter" || key === "Tab") && !shiftKey && !ctrlKey && !metaKey) return does(() => take(chosen));
    }
    if (key === "Escape" && onLeave) return does(onLeave);
    if (key !== "Enter" || event.repeat) return;
    if (ctrlKey || metaKey) does(shiftKey && onNext ? onNext : onSend);
    else if (enterSends && !shiftKey) does(onSend);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend();
  };
  const list = `${id}-ready`;
  return (
    <form method="post" onSubmit={submit} className="js-only relative flex flex-col gap-2">
      {isOpen ? (
        <div className="absolute inset-x-0 bottom-full z-20 mb-1 overflow-hidden rounded-card border border-line bg-surface shadow-raised">
          {found.length > 0 ? (
            <div id={list} role="listbox" aria-label="Ready answers" className="max-h-60 overflow-y-auto py-1">
              {found.map((answer) => (
                <div
                  key={answer.id}
                  id={`${list}-${answer.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={answer === chosen}
                  // The field keeps the keyboard.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => take(answer)}
                  className={classes("flex min-h-11 cursor-pointer flex-col justify-center px-3 py-1 md:min-h-9", answer === chosen && "bg-accent-soft")}
                >
                  <span className="truncate text-table font-medium">{answer.title}</span>
                  <span className="truncate text-note text-soft">{filledIn(answer.body, about)}</span>
                </div>
              ))}
            </div>
          ) : (
            <p className="px-3 py-2 text-table text-soft">No ready answer has this in its name</p>
          )}
        </div>
      ) : null}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        name="message"
        rows={3}
        maxLength={MOST}
        placeholder={canned.length > 0 ? `${label}; write ; for a ready one` : label}
        value={text}
        // What is being sent is not written on: it would go with what was sent. The keyboard stays here.
        readOnly={busy}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen && found.length > 0 ? list : undefined}
        aria-activedescendant={isOpen && chosen ? `${list}-${chosen.id}` : undefined}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          write(value);
          setCaret(selectionStart);
          setAt(0);
        }}
        onSelect={({ currentTarget: { selectionStart } }) => caret !== null && setCaret(selectionStart)}
        onBlur={() => setCaret(null)}
        onKeyDown={press}
        className={classes(
          "block max-h-[30dvh] w-full resize-none rounded-control border bg-surface px-3 py-2 text-base placeholder:text-soft [field-sizing:content] md:text-[0.9375rem]",
          error ? "border-loss" : "border-control hover:border-ink",
        )}
      />
      <p role="status" className="sr-only">
        {isOpen ? `${found.length} ready answers${chosen ? `, ${chosen.title}` : ""}` : ""}
      </p>
      {error ? (
        <p id={`${id}-error`} className="text-note text-loss">
          {error}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {onNext ? (
          <BusyButton data-next="" size="small" busy={busy} onClick={onNext} data-tip="Ctrl Shift Enter" className="whitespace-nowrap max-md:basis-full">
            Send, resolve, next
          </BusyButton>
        ) : null}
        <BusyButton type="submit" variant={onNext ? "secondary" : "primary"} size="small" busy={busy}>
          {send}
        </BusyButton>
        {canned.length > 0 ? (
          <Button
            variant="quiet"
            size="small"
            aria-label="Ready answers"
            aria-haspopup="listbox"
            onPointerDown={(event) => event.preventDefault()}
            onClick={offer}
          >
            <Icon name="document" />
          </Button>
        ) : null}
        {children}
      </div>
    </form>
  );
}
