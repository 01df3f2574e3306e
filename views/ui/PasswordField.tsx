import { type ComponentProps, useState } from "react";
import { Field } from "./Field";
import { Icon } from "./Icon";

/** A password that can be looked at. For islands; without scripts it is a plain password field. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, "type" | "trailing">) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      spellCheck="false"
      autoCapitalize="none"
      trailing={
        <button
          type="button"
          aria-pressed={shown}
          aria-controls={props.id}
          onClick={() => setShown(!shown)}
          className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
        >
          <Icon name={shown ? "eyeOff" : "eye"} label={shown ? "Hide password" : "Show password"} />
        </button>
      }
    />
  );
}
