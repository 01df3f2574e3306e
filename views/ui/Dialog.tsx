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
  bare,
  isModal = true,
}: {
  id: string;
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** What stands in it scrolls by itself. */
  bare?: boolean;
  /** Until then it stands over the page alone: to keep the whole page from the keyboard is more than a weak phone does before it answers a press. */
  isModal?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const wasModal = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !isModal) dialog.setAttribute("open", "");
    if (open && isModal && !wasModal.current) {
      dialog.removeAttribute("open");
      dialog.showModal();
    }
    if (!open && dialog.open) dialog.close();
    wasModal.current = open && isModal;
  }, [open, isModal]);
  // A phone's keyboard covers the foot of the page, and with it of a sheet, unless it is lifted.
  useEffect(() => {
    const view = window.visualViewport;
    const dialog = element.current;
    if (!open || !view || !dialog) return;
    const lift = () => {
      const hidden = Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
      dialog.style.setProperty("--sheet", hidden ? `${Math.round(view.height * 0.96)}px` : "90dvh");
      dialog.style.setProperty("--lift", `${hidden}px`);
    };
    lift();
    view.addEventListener("resize", lift);
    view.addEventListener("scroll", lift);
    return () => {
      view.removeEventListener("resize", lift);
      view.removeEventListener("scroll", lift);
    };
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
      // Escape is told at once: the closing itself is told so late that what is pressed meanwhile would be closed with it.
      onCancel={(event) => event.target === event.currentTarget && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={
        wide
          ? "m-0 mb-[var(--lift,0px)] mt-auto max-h-[var(--sheet,90dvh)] w-full max-w-none overflow-hidden rounded-t-card border border-line bg-surface text-ink shadow-raised md:m-auto md:max-w-2xl md:rounded-card"
          : "fixed inset-0 z-40 m-0 mb-[var(--lift,0px)] mt-auto max-h-[var(--sheet,90dvh)] w-full max-w-none overflow-hidden rounded-t-card border border-line bg-surface text-ink shadow-raised md:m-auto md:max-w-md md:rounded-card"
      }
    >
      {open ? (
        <div className="flex max-h-[var(--sheet,90dvh)] flex-col">
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
          {bare ? children : <div className="overflow-y-auto p-4">{children}</div>}
          {footer ? <div className="flex flex-wrap justify-end gap-2 border-t border-line p-4 max-md:flex-col-reverse">{footer}</div> : null}
        </div>
      ) : null}
    </dialog>
  );
}
