/** A list that was asked for may have to come first; a row that is not there so long after, in ms, has gone meanwhile. */
const PATIENCE_MS = 5000;

/** Brings the row of this position or order into sight once it is drawn, and the focus to it. */
export function showRow(id: string): void {
  const bring = () => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    if (!row?.checkVisibility()) return false;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    return true;
  };
  if (bring()) return;
  const watcher = new MutationObserver(() => bring() && watcher.disconnect());
  watcher.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watcher.disconnect(), PATIENCE_MS);
}
