import type { ComponentProps } from "react";
import { Button } from "../Button";

/**
 * A button that keeps the focus while what it set off is under way, which a disabled one would lose to nobody: it says that it is busy, and
 * hears no press. In a form it sends nothing meanwhile, not by Enter in a field either.
 */
export const BusyButton = ({ busy, onClick, ...rest }: ComponentProps<typeof Button> & { busy: boolean }) => (
  <Button aria-disabled={busy || undefined} onClick={busy ? (event) => event.preventDefault() : onClick} {...rest} />
);
