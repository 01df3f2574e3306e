import { type FormEvent, type SubmitEvent, useState } from "react";
import type { GenericSchema, InferOutput } from "valibot";
import { fit } from "../../src/lib/fit";
import { ApiError } from "./api";

type Form<S extends GenericSchema> = {
  schema: S;
  /** In the order of the page: the first one at fault gets the focus. */
  names: readonly string[];
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
 * A form as the specification wants it: checked on submit, then again at each change; disabled while it is under way. An action that
 * succeeded stays pending, because the page then leaves. Spread `form` on the form element.
 */
export function useForm<S extends GenericSchema>({ schema, names, errors = {}, send, onFailure, onInvalid, after = "leave" }: Form<S>) {
  const [messages, setMessages] = useState(errors);
  const [tried, setTried] = useState(false);
  const [pending, setPending] = useState(false);

  const check = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const result = fit(schema, Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "")])));
    setMessages(result.ok ? {} : result.fields);
    return result;
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setTried(true);
    const result = check(form);
    if (!result.ok) {
      onInvalid?.(result.fields);
      return focusFirst(form, names, result.fields);
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
      setMessages(error.fields);
      focusFirst(form, names, error.fields);
      onFailure(error);
    }
  };
  // At a select's `input` event its own handler has not run yet, and drawing anew would put the old choice back.
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    if (tried) check(event.currentTarget);
  };
  return { messages, pending, form: { method: "post", noValidate: true, onSubmit, onChange } as const };
}

function focusFirst(form: HTMLFormElement, names: readonly string[], faults: Record<string, string>) {
  const first = names.find((name) => faults[name]);
  if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
}
