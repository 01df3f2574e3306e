import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { classes } from "./classes";
import { Icon } from "./Icon";
import { withWays } from "./Ways";

/** `id` must be the page's own: it ties label, hint and message to the control. */
type Own = { id: string; label: ReactNode; hint?: ReactNode; error?: string | undefined; trailing?: ReactNode };

const edge = (error: string | undefined) => (error ? "border-loss" : "border-control hover:border-ink");

const described = ({ id, hint, error }: Own) => classes(error && `${id}-error`, hint ? `${id}-hint` : null) || undefined;

function Frame({ own, children }: { own: Own; children: ReactNode }) {
  const { id, label, hint, error, trailing } = own;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-product font-medium">
        {label}
      </label>
      <div className="relative">
        {children}
        {trailing ? <div className="absolute inset-y-0 right-0 flex items-center">{trailing}</div> : null}
      </div>
      {error ? <FieldMessage id={`${id}-error`}>{error}</FieldMessage> : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-table text-soft">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** What is wrong with a field, below it. */
export const FieldMessage = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} className="flex items-start gap-1.5 text-table text-loss">
    <Icon name="warning" className="size-4 mt-0.5" />
    <span data-text="">{withWays(children)}</span>
  </p>
);

export function Field({ label, hint, error, trailing, className, ...input }: Own & InputHTMLAttributes<HTMLInputElement>) {
  const own = { id: input.id, label, hint, error, trailing };
  return (
    <Frame own={own}>
      <input
        className={classes("field", edge(error), trailing ? "pr-12" : null, className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(own)}
        {...input}
      />
    </Frame>
  );
}

export function SelectField({ label, hint, error, className, children, ...select }: Own & SelectHTMLAttributes<HTMLSelectElement>) {
  const own = { id: select.id, label, hint, error };
  return (
    <Frame own={own}>
      <select
        className={classes("field", edge(error), "appearance-none truncate pr-10", className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(own)}
        {...select}
      >
        {children}
      </select>
      <Icon name="chevronDown" className="pointer-events-none absolute right-3 top-3 size-5 text-soft" />
    </Frame>
  );
}

export function TextField({ label, hint, error, className, ...area }: Own & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const own = { id: area.id, label, hint, error };
  return (
    <Frame own={own}>
      <textarea
        className={classes("field", edge(error), "py-2.5", className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(own)}
        {...area}
      />
    </Frame>
  );
}

/**
 * What a field for a number above zero is. Where no script will look at it (`plain`) it is text, which the server reads: of a number's field a browser
 * sends what is no number as if nothing stood there.
 */
export const numberField = (plain: boolean, step: string) =>
  ({ inputMode: "decimal", autoComplete: "off", ...(plain ? { type: "text" } : { type: "number", min: 0, step }) }) as const;
