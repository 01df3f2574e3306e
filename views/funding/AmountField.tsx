import type { ComponentProps } from "react";
import { Field } from "../ui/Field";

type Props = Omit<ComponentProps<typeof Field>, "name" | "type" | "inputMode" | "step" | "label"> & { label?: string };

/** How much money is asked for, in whole cents; in dollars unless its label says otherwise. */
export const AmountField = ({ label = "Amount ($)", placeholder = "0.00", min = 0, ...rest }: Props) => (
  <Field name="amount" type="number" inputMode="decimal" min={min} step={0.01} label={label} placeholder={placeholder} autoComplete="off" {...rest} />
);
