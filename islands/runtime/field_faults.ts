import { useLayoutEffect, useRef } from "react";

/**
 * Leads to what was refused: of the element with this id the first field that says a fault gets the focus, with its label and message in sight.
 * Answers what asks for it, beside new `messages`; it is done once they are drawn. A refusal that stands at no field moves nothing.
 */
export function useFaultFocus(messages: object, id: string): () => void {
  const isAsked = useRef(false);
  useLayoutEffect(() => {
    if (!isAsked.current) return;
    isAsked.current = false;
    const first = document.getElementById(id)?.querySelector<HTMLInputElement>("[aria-invalid=true]");
    first?.focus();
    // The field alone is seen by now; label and message stand with it in one frame.
    first?.labels?.[0]?.parentElement?.scrollIntoView({ block: "nearest" });
  }, [messages, id]);
  return () => {
    isAsked.current = true;
  };
}

/**
 * What is written in fields below this element and can't be read, by field: half a moment, or what is no number. A browser gives and sends such a
 * field as if it were empty, and empty may mean 'none'.
 */
export function unreadable(root: Element | null): Record<string, string> {
  const fields = [...(root?.querySelectorAll("input") ?? [])].filter(({ name, validity }) => name && validity.badInput);
  return Object.fromEntries(fields.map(({ name, type }) => [name, type === "number" ? NO_NUMBER : HALF]));
}

const NO_NUMBER = "This is no number. Write one with a point, such as 1.085, or nothing at all.";
const HALF = "Write the whole date and time, or nothing at all.";
