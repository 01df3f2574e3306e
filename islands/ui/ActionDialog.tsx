import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import type { GenericSchema, InferOutput } from "valibot";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { withSigns } from "../../views/ui/Signed";
import { Notice } from "../../views/ui/States";
import { ApiError } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { useCalm } from "../runtime/steady";
import { type Names, useForm } from "../wire/form";
import { UnsaidNotice } from "./UnsaidNotice";

type Props<S extends GenericSchema, N extends readonly string[]> = {
  id: string;
  title: string;
  /** The decision and what follows from it, in one line above the fields. */
  consequence: ReactNode;
  /** Who else has it open, in words, and null for nobody: the list that says so lies behind the dialog. */
  viewers?: string | null;
  schema: S;
  names: Names<S, N>;
  fields: (messages: Record<string, string>) => ReactNode;
  submit: string;
  busy: string;
  danger?: boolean;
  /** The title of the toast when it is refused. */
  failed?: string;
  /** Where the keyboard begins: at the first field, or at the button where nothing needs to be written. */
  begin?: "field" | "button";
  /** False while what it means is not known yet. */
  ready?: boolean;
  /** A conflict is about what was written here, so the dialog stays. */
  mends?: boolean;
  send: (value: InferOutput<S>) => Promise<void>;
  /** `done`: after a success. Also after a refusal that no other input would change: somebody was faster. */
  onClose: (done?: true) => void;
};

/** A staff action before it is done: what it means, what it needs, and the button that names it. Rendered only while it is open. */
export function ActionDialog<S extends GenericSchema, const N extends readonly string[]>(props: Props<S, N>) {
  const {
    id,
    title,
    consequence,
    viewers,
    schema,
    names,
    fields,
    submit,
    busy,
    danger,
    failed = "Error",
    begin = "field",
    ready = true,
    mends = false,
    send,
    onClose,
  } = props;
  useCalm();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { messages, unsaid, pending, form } = useForm<S, N>({
    schema,
    names,
    send: async (value) => {
      setRefusal(null);
      await send(value);
      onClose(true);
    },
    onFailure: (error) => {
      tellRefusal(failed, error);
      if (!mends && isLate(error)) return onClose();
      // The toast lies behind the dialog.
      if (!Object.keys(error.fields).length) setRefusal(error.message);
    },
  });
  useEffect(() => {
    const target = begin === "field" ? `#${id}-form :is(input, select, textarea)` : `#${id} [type=submit]`;
    if (ready) document.querySelector<HTMLElement>(target)?.focus();
  }, [id, begin, ready]);
  return (
    <Dialog
      id={id}
      title={title}
      open
      onClose={() => onClose()}
      footer={
        <>
          <Button variant="secondary" onClick={() => onClose()}>
            Cancel
          </Button>
          <BusyButton type="submit" form={`${id}-form`} variant={danger ? "danger" : "primary"} busy={pending} disabled={!ready}>
            {pending ? busy : submit}
          </BusyButton>
        </>
      }
    >
      <form {...form} id={`${id}-form`} onKeyDown={sendByKey} className="flex flex-col gap-4">
        <div className="text-base [overflow-wrap:anywhere]">{withSigns(consequence)}</div>
        <Viewers others={viewers} />
        {fields(messages)}
        <UnsaidNotice of={unsaid} />
        {refusal ? <Notice kind="error">{refusal}</Notice> : null}
      </form>
    </Dialog>
  );
}

/** Always there where colleagues may come and go: no button moves away under a finger because one did. */
const Viewers = ({ others }: { others: string | null | undefined }) =>
  others === undefined ? null : <Notice kind={others ? "warning" : "info"}>{others ?? "Nobody else is looking at this"}</Notice>;

/** In a text of several lines Enter is a new line: with Ctrl or Command it sends. */
function sendByKey(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const form = event.currentTarget;
  // Its own `id` may be hidden by a field of that name.
  const button = document.querySelector<HTMLButtonElement>(`[type=submit][form="${form.getAttribute("id")}"]`);
  if (button && !button.disabled && button.ariaDisabled !== "true") form.requestSubmit(button);
}

/** Somebody else decided it, or it is gone. */
const isLate = ({ status }: ApiError) => status === 409 || status === 404;
