import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Icon } from "./Icon";

/**
 * A dialog at a desk, a bottom sheet on a phone. The browser's own `<dialog>` keeps the focus inside and closes on Escape; a
 * press on the backdrop closes too. For islands: it opens and closes with `open`.
 */
export function Dialog({
  id,
  title,
  open,
  onClose,
  children,
  footer,
  wide,
}: {
  id: string;
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  // The browser gives the focus back when a dialog closes, not when it is taken off the page.
  const gone = useRef(false);
  // It tells of a closing late: the dialog may be open again by then.
  const closed = ({ currentTarget }: { currentTarget: HTMLDialogElement }) => gone.current || currentTarget.open || onClose();
  useLayoutEffect(() => {
    const dialog = element.current;
    gone.current = false;
    return () => {
      gone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      id={id}
      aria-labelledby={`${id}-title`}
      onClose={closed}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={
        wide
          ? "m-0 mt-auto max-h-[90dvh] w-full max-w-none overflow-hidden rounded-t-card border border-line bg-surface text-ink shadow-raised md:m-auto md:max-w-2xl md:rounded-card"
          : "m-0 mt-auto max-h-[90dvh] w-full max-w-none overflow-hidden rounded-t-card border border-line bg-surface text-ink shadow-raised md:m-auto md:max-w-md md:rounded-card"
      }
    >
      {open ? (
        <div className="flex max-h-[90dvh] flex-col">
          <div className="flex items-center justify-between gap-4 border-b border-line py-1 pl-4 pr-1">
            <h2 id={`${id}-title`} className="text-base font-semibold">
              {title}
            </h2>
            <button
              type="button"
              onClick={onClose}
              aria-label="Close"
              className="inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
            >
              <Icon name="close" />
            </button>
          </div>
          <div className="overflow-y-auto p-4">{children}</div>
          {footer ? <div className="flex flex-wrap justify-end gap-2 border-t border-line p-4 max-md:flex-col-reverse">{footer}</div> : null}
        </div>
      ) : null}
    </dialog>
  );
}
