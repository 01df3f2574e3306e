import { type FormEvent, type SubmitEvent, useLayoutEffect, useRef, useState } from "react";
import type { GenericSchema, InferInput, InferOutput } from "valibot";
import { fit } from "../../src/lib/fit";
import { ApiError } from "./api";
import { focusFirst, NOTHING_UNSAID, unsaidIn } from "./form_faults";

/** The fields that a schema does not do without. */
type Asked<S extends GenericSchema> = { [K in keyof InferInput<S>]-?: undefined extends InferInput<S>[K] ? never : K }[keyof InferInput<S>];
/** A form's fields by name, written out, among them each that the schema asks for: one that the form never sends, nobody could mend. */
export type Names<S extends GenericSchema, N extends readonly string[]> = N &
  (string extends N[number] ? { writtenOut: never } : [Exclude<Asked<S>, N[number]>] extends [never] ? unknown : { lacks: Exclude<Asked<S>, N[number]> });

type Form<S extends GenericSchema, N extends readonly string[]> = {
  schema: S;
  /** In the order of the page: the first one at fault gets the focus. */
  names: Names<S, N>;
  /** Messages that the server already found, from a post without scripts. */
  errors?: Record<string, string>;
  send: (value: InferOutput<S>, form: HTMLFormElement) => Promise<void>;
  onFailure: (error: ApiError) => void;
  /** Hears each try that could not be sent as it stands. */
  onInvalid?: (fields: Record<string, string>) => void;
  /** After a success: the page leaves, or stays with a form that takes the next one. */
  after?: "leave" | "again";
};

/**
 * A form as the specification wants it: checked on submit, then again at each change and key; disabled while it is under way. An action that
 * succeeded stays pending, because the page then leaves. Spread `form` on the form element, and draw `unsaid` (`UnsaidNotice`) in it: what was refused
 * and stands at no field.
 */
export function useForm<S extends GenericSchema, const N extends readonly string[]>(asked: Form<S, N>) {
  const { schema, errors = {}, send, onFailure, onInvalid, after = "leave" } = asked;
  const names: readonly string[] = asked.names;
  const [messages, setMessages] = useState(errors);
  const [tried, setTried] = useState(false);
  const [pending, setPending] = useState(false);
  const [unsaid, setUnsaid] = useState(NOTHING_UNSAID);
  // The form that was tried, and whether the focus is to go to what stands at none of its fields.
  const place = useRef<HTMLFormElement | null>(null);
  const seeks = useRef(false);

  const tell = (form: HTMLFormElement, faults: Record<string, string>) => {
    place.current = form;
    seeks.current = false;
    setMessages(faults);
    setUnsaid(NOTHING_UNSAID);
  };
  const seek = (form: HTMLFormElement, faults: Record<string, string>) => {
    seeks.current = !focusFirst(form, names, faults);
  };
  // What the form shows of them is known once it is drawn with them.
  useLayoutEffect(() => {
    if (place.current) setUnsaid(unsaidIn(place.current, messages));
  }, [messages]);
  useLayoutEffect(() => {
    if (!seeks.current || unsaid.length === 0) return;
    seeks.current = false;
    place.current?.querySelector<HTMLElement>("[data-unsaid]")?.focus();
  }, [unsaid]);

  const check = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const result = fit(schema, Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "")])));
    tell(form, result.ok ? {} : result.fields);
    return result;
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setTried(true);
    const result = check(form);
    if (!result.ok) {
      onInvalid?.(result.fields);
      return seek(form, result.fields);
    }
    setPending(true);
    try {
      await send(result.value, form);
      if (after === "leave") return;
      setPending(false);
      setTried(false);
    } catch (error) {
      setPending(false);
      if (!(error instanceof ApiError)) throw error;
      tell(form, error.fields);
      seek(form, error.fields);
      onFailure(error);
    }
  };
  // At a select's `input` event its own handler has not run yet, and drawing anew would put the old choice back.
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    if (tried) check(event.currentTarget);
  };
  // What is written changes only as it is left, by the press of a button perhaps: a message that goes then moves the button away from under the press.
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    if (tried && isWritten(event.target)) check(event.currentTarget);
  };
  return { messages, unsaid, pending, form: { method: "post", noValidate: true, onSubmit, onChange, onInput } as const };
}

const CHOSEN = ["checkbox", "radio", "file"];
const isWritten = (field: EventTarget): boolean => field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !CHOSEN.includes(field.type));
