import type { ComponentProps } from "react";
import { Field, FieldMessage } from "./Field";
import { Icon } from "./Icon";
import { Notice } from "./States";

/** What a form without a framework (`islands/scripts/plain_form.ts`) shows when it has something to say: drawn here once, copied there. */
export function FormTemplates() {
  return (
    <>
      <template data-name="fault">
        <FieldMessage>{""}</FieldMessage>
      </template>
      <template data-name="banner">
        <Notice kind="error">
          <span data-text="" />
        </Notice>
      </template>
    </>
  );
}

/** After a refused post: the values typed and their messages, by field. */
export type Filled = { values: Partial<Record<string, string>>; errors: Partial<Record<string, string>> };

/** What a field of such a form starts with. `misfit` is said while nothing fitting is in it; without one it may stay empty. */
export const plainField =
  ({ values, errors }: Filled) =>
  (name: string, misfit?: string) => ({
    id: name,
    name,
    required: misfit !== undefined,
    "data-misfit": misfit,
    defaultValue: values[name],
    error: errors[name],
  });

type PlainProps = Omit<ComponentProps<typeof Field>, "type" | "trailing"> & { "data-misfit"?: string | undefined };

export const PlainEmailField = (props: PlainProps) => (
  <Field autoComplete="email" {...props} type="email" inputMode="email" maxLength={254} required data-misfit="Please enter a valid email address" />
);

/** The words beside a field's name that may stay empty. */
export const Optional = () => <span className="font-normal text-soft">(optional)</span>;

/** A password that can be looked at; without scripts it is a plain password field. What was typed never comes back. */
export function PlainPasswordField(props: PlainProps) {
  return (
    <Field
      maxLength={200}
      {...props}
      defaultValue={undefined}
      type="password"
      spellCheck="false"
      autoCapitalize="none"
      trailing={
        <button
          type="button"
          data-reveal=""
          aria-pressed="false"
          aria-controls={props.id}
          aria-label="Show password"
          className="js-only group inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
        >
          <Icon name="eye" className="size-5 group-aria-pressed:hidden" />
          <Icon name="eyeOff" className="hidden size-5 group-aria-pressed:block" />
        </button>
      }
    />
  );
}
