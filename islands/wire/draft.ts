import { useEffect, useRef } from "react";
import { keep, kept } from "./kept";

type Written = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<Written>("input[name]:not([type=hidden]), textarea[name], select[name]")];

/**
 * Keeps what is written into a form of uncontrolled fields, under `name`, over a reload and another tab of the page, until the form is
 * reset, as it is once it was sent. Where the page itself came with something (`given`), that is newer. Goes on the form as its `ref`.
 */
export function useDraft(name: string, given = false) {
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const form = place.current;
    if (!form) return;
    const draft = (given ? undefined : kept(name)) as Record<string, unknown> | undefined;
    for (const field of fieldsOf(form)) {
      const text = draft?.[field.name];
      if (typeof text === "string") field.value = text;
    }
    const note = () => {
      const fields = fieldsOf(form);
      const isWritten = fields.some((field) => field.localName !== "select" && field.value);
      keep(name, isWritten ? Object.fromEntries(fields.map((field) => [field.name, field.value])) : null);
    };
    const forget = () => keep(name, null);
    form.addEventListener("input", note);
    form.addEventListener("reset", forget);
    return () => {
      form.removeEventListener("input", note);
      form.removeEventListener("reset", forget);
    };
  }, [name, given]);
  return place;
}
