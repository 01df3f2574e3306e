/**
 * A button is locked while its deed is under way, and a browser takes the focus from what is locked. Who works by keyboard, or by
 * ear, has it back there once it is free again, unless they went elsewhere.
 */
export function keepFocus() {
  let last: HTMLElement | null = null;
  document.addEventListener("focusin", ({ target }) => {
    last = target as HTMLElement;
  });
  document.addEventListener("focusout", ({ target }) => {
    if (!(target as Element).matches(":disabled")) last = null;
  });
  new MutationObserver(() => {
    if (last?.isConnected && document.activeElement === document.body && !last.matches(":disabled")) last.focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ["disabled"] });
}
