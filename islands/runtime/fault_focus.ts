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
