const IN_A_FIELD = "input, select, textarea, [contenteditable], dialog, [role=slider]";

/** Hears single keys, in lower case, for as long as nobody is writing and no dialog is open. Returns the way to stop. */
export function onPortalKey(heard: (key: string, event: KeyboardEvent) => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(IN_A_FIELD)) return;
    heard(event.key.toLowerCase(), event);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
